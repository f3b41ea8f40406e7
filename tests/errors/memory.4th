\ do: load memory=1048576   (the test loads the script with a limit of 1048576 bytes)
: grow ( -- )
  BEGIN 65536 ALLOT 1 , 0 UNTIL ;   \ expect error: memory limit reached
grow
