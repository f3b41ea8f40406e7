1 DROP
LOAD Load-Itself.4TH   \ expect error: load-itself.4th loads itself
