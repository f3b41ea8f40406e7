\ do: load   (the test loads the script)
: shrug ( n -- )
  1 . ENDIF ;   \ expect error: unbalanced control structure: nothing is open to be closed
