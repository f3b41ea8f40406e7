\ vm: checked
\ Checked mode: every underflow and every index outside an array is reported.
T{ SWAP -> }T        \ expect error: StackUnderflow
T{ 1 SWAP -> }T      \ expect error: StackUnderflow
T{ OVER -> }T        \ expect error: StackUnderflow
T{ 1 2 ROT -> }T     \ expect error: StackUnderflow
T{ 1 ! -> }T         \ expect error: StackUnderflow
: borrow DROP DROP 1 2 3 ;
T{ borrow -> }T      \ expect error: StackUnderflow
T{ 7 8 borrow -> 1 2 3 }T
5 [] cells5
T{ 4 cells5 0 cells5 - -> 16 }T
T{ 1 4 cells5 ! 4 cells5 @ -> 1 }T
: past 1 5 cells5 ! ;
T{ past -> }T        \ expect error: BoundsError cells5
: before -1 cells5 @ ;
T{ before -> }T      \ expect error: BoundsError cells5
T{ 1 2 + -> 3 }T
