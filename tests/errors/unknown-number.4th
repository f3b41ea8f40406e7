2147483647 DROP
2147483648   \ expect error: unknown word `2147483648`
