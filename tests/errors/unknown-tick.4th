1 CONSTANT stones
' stone   \ expect error: unknown word `stone`
