: flood ( -- )
  BEGIN 7 0 UNTIL ;   \ expect error: stack overflow
flood
