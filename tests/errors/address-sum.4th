\ do: load   (the test loads the script)
: nth ( n addr -- n' )
  +
  @ ;   \ expect error: address outside memory: 0x3 (3) in `@`
1 2 nth
