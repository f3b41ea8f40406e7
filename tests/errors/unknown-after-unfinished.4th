: first ( -- n )
  1
: second 2 ;   \ expect error: unknown word `second`
