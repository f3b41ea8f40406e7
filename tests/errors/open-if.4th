\ do: load   (the test loads the script)
: shrug ( n -- )
  IF 1 . ;   \ expect error: unbalanced control structure: an IF, ELSE or WHILE that was never closed
0 shrug
