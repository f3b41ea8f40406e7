\ vm: axiom=151 base=loaded/world.4th
\ Additions of version 151.
T{ #Version #Turns -> 151 256 }T
: abc S" abc" ;
: def S" def" ;
CREATE buffer 32 ALLOT
T{ abc buffer "MOVE def buffer "APPEND buffer TYPE -> }T     \ expect: "abcdef"
T{ 0 buffer C! abc buffer "APPEND buffer TYPE -> }T          \ expect: "abc"
T{ B $playerToMove ! player-to-move -> 4096 }T
: b2-partly partial from b1 move add-move ;
T{ fresh ' b2-partly moves-of -> }T                          \ expect: "P a1 - b1 | "
