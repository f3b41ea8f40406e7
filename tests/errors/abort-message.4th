: check ( n -- )
  4 > ABORT" too many players" ;   \ expect error: too many players
5 check
