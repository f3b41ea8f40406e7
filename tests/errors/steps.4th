\ do: load steps=1000
: spin ( -- )
  BEGIN 0 UNTIL ;   \ expect error: step limit reached
spin
