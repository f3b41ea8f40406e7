: complain ( -- )
  S" no such card" ERROR ;   \ expect error: no such card
complain
