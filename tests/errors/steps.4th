\ do: load steps=1000   (the test loads the script with a limit of 1000 steps)
: spin ( -- )
  BEGIN 0 UNTIL ;   \ expect error: step limit reached
spin
