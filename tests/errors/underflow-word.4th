\ A word may take up to 64 cells too many; this one goes on for ever.
: greedy ( -- )
  BEGIN
    DROP   \ expect error: stack underflow
  0 UNTIL ;
greedy
