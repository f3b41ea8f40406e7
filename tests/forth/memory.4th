\ Memory.
VARIABLE v
CREATE buffer 64 ALLOT
: cell ( n -- addr ) CELLS buffer + ;
T{ v @ -> 0 }T
T{ 42 v ! v @ -> 42 }T
T{ -2147483648 v ! v @ -> -2147483648 }T
T{ CELLSIZE -> 4 }T
T{ 3 CELLS -> 12 }T
T{ -1 CELLS -> -4 }T
T{ 0 CELLS -> 0 }T

\ Bytes and 16 bits are sign-extended; cells are little-endian and need no alignment.
T{ 200 v C! v C@ -> -56 }T
T{ 127 v C! v C@ -> 127 }T
T{ 0 v ! 511 v C! v @ -> 255 }T
T{ 70000 v ! v I@ -> 4464 }T
T{ -1 v I! v I@ -> -1 }T
T{ 0 v ! 32768 v I! v @ v I@ -> 32768 -32768 }T
T{ 0 v ! 65537 v I! v @ -> 1 }T
\ 305419896 is 12345678 in hexadecimal; its bytes are 78, 56, 34 and 12, or 120, 86, 52 and 18.
T{ 305419896 v ! v C@ v 1+ C@ v 2+ C@ v 3 + C@ -> 120 86 52 18 }T
T{ 0 0 cell ! 0 1 cell ! 305419896 buffer 1+ ! buffer 1+ @ buffer 5 + C@ -> 305419896 0 }T

T{ v ON v @ -> -1 }T
T{ v OFF v @ -> 0 }T
T{ 7 v ! v ? -> }T                              \ expect: "7 "
T{ -7 v ! HEX v ? DECIMAL -> }T                 \ expect: "FFFFFFF9 "

\ FILL and ERASE count bytes.
T{ buffer 64 -1 FILL 0 cell @ 15 cell @ -> -1 -1 }T
\ -16711423 is FF010101 in hexadecimal.
T{ buffer 4 + 3 1 FILL 1 cell @ 0 cell @ -> -16711423 -1 }T
T{ buffer 8 ERASE 0 cell @ 1 cell @ 2 cell @ -> 0 0 -1 }T
T{ buffer 0 5 FILL 0 cell @ -> 0 }T

\ MOVE counts cells, CMOVE bytes; both copy upwards, so overlapping ranges repeat the first units.
: fill-up 16 0 DO I I cell ! LOOP ;
\ $CountCells compares whole cells.
T{ fill-up 2 0 cell 5 $CountCells 9 0 cell 5 $CountCells 2 0 cell 2 $CountCells -> 1 0 0 }T
T{ fill-up 2 0 cell ! 2 4 cell ! 2 0 cell 5 $CountCells 2 0 cell 0 $CountCells 2 0 cell -1 $CountCells -> 3 0 0 }T
T{ fill-up 0 cell 4 cell 2 MOVE 3 cell @ 4 cell @ 5 cell @ 6 cell @ -> 3 0 1 6 }T
T{ fill-up 0 cell 1 cell 3 MOVE 0 cell @ 1 cell @ 2 cell @ 3 cell @ 4 cell @ -> 0 0 0 0 4 }T
T{ fill-up 4 cell 3 cell 4 MOVE 3 cell @ 4 cell @ 5 cell @ 6 cell @ 7 cell @ -> 4 5 6 7 7 }T
T{ fill-up 7 cell 8 cell 12 CMOVE 8 cell @ 9 cell @ 10 cell @ 11 cell @ -> 7 7 7 11 }T
T{ fill-up 1 cell 8 cell 2 CMOVE 8 cell @ 9 cell @ -> 1 9 }T
T{ fill-up 3 cell 8 cell 0 MOVE 8 cell @ -> 8 }T
T{ fill-up 3 cell 8 cell 0 CMOVE 8 cell @ -> 8 }T

\ The dictionary.
T{ HERE 5 , HERE SWAP - -> 4 }T
T{ HERE 5 , @ -> 5 }T
T{ HERE 200 C, C@ -> -56 }T
T{ HERE 1 C, HERE SWAP - -> 1 }T
T{ HERE -5 I, HERE OVER - SWAP I@ -> 2 -5 }T
T{ DP @ HERE = -> -1 }T
T{ HERE 100 ALLOT HERE SWAP - -100 ALLOT -> 100 }T
T{ HERE 8 ALLOT -8 ALLOT HERE - -> 0 }T
T{ PAD 0= -> 0 }T

\ Address 0 and addresses outside of the image are invalid.
T{ 1 0 2 $CountCells -> }T       \ expect error: AddressError
T{ 1 16 1073741824 $CountCells -> }T \ expect error: AddressError
T{ 0 @ -> }T                    \ expect error: AddressError
T{ 1 0 ! -> }T                  \ expect error: AddressError
T{ -1 @ -> }T                   \ expect error: AddressError
T{ -4 @ -> }T                   \ expect error: AddressError
T{ -1 C@ -> }T                  \ expect error: AddressError
T{ 0 C@ -> }T                   \ expect error: AddressError
T{ 1 -1 C! -> }T                \ expect error: AddressError
T{ -1 I@ -> }T                  \ expect error: AddressError
T{ 1 -2 I! -> }T                \ expect error: AddressError
T{ 2147483647 @ -> }T           \ expect error: AddressError
T{ -2147483648 @ -> }T          \ expect error: AddressError
T{ buffer -4 1 MOVE -> }T       \ expect error: AddressError
T{ -4 buffer 1 MOVE -> }T       \ expect error: AddressError
T{ buffer 2147483647 1 CMOVE -> }T \ expect error: AddressError
T{ buffer 2147483647 1 FILL -> }T \ expect error: AddressError
