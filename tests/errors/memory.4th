\ do: load memory=1048576
: grow ( -- )
  BEGIN 65536 ALLOT 1 , 0 UNTIL ;   \ expect error: memory limit reached
grow
