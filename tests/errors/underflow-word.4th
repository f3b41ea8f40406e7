\ A word may pop up to 64 missing cells; this word pops cells without end.
: greedy ( -- )
  BEGIN
    DROP   \ expect error: stack underflow
  0 UNTIL ;
greedy
