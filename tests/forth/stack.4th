\ Stack words.
T{ 1 DUP -> 1 1 }T
T{ -2147483648 DUP -> -2147483648 -2147483648 }T
T{ 1 2 DROP -> 1 }T
T{ 1 2 SWAP -> 2 1 }T
T{ 1 2 OVER -> 1 2 1 }T
T{ 1 2 3 ROT -> 2 3 1 }T
T{ 1 2 3 ROT ROT ROT -> 1 2 3 }T
T{ 10 20 30 0 PICK -> 10 20 30 30 }T
T{ 10 20 30 1 PICK -> 10 20 30 20 }T
T{ 10 20 30 2 PICK -> 10 20 30 10 }T
T{ 1 2 2DUP -> 1 2 1 2 }T
T{ 1 2 3 2DROP -> 1 }T
T{ 7 DEPTH -> 7 1 }T
T{ 7 8 9 DEPTH -> 7 8 9 3 }T
T{ 5 DROP DEPTH -> 0 }T

: r1 >R R> ;
: r2 >R 1 R@ R> ;
: r3 >R >R R@ R> R> ;
: r4 >R R R> + ;
T{ 5 r1 -> 5 }T
T{ 5 r2 -> 1 5 5 }T
T{ 1 2 r3 -> 1 1 2 }T
T{ 21 r4 -> 42 }T

\ SP@ is the address of the top cell; the stack grows upwards, so the cell below is 4 less.
T{ 11 22 SP@ @ -> 11 22 22 }T
T{ 11 22 SP@ 4 - @ -> 11 22 11 }T
: rp RP@ ;
: rp-down RP@ 99 >R RP@ R> DROP SWAP - ;
T{ rp-down -> 4 }T
: rp-top 99 >R RP@ @ R> ;
T{ rp-top -> 99 99 }T

\ Outside of a definition, cells stay on the return stack until the end of the text (here each test
\ is one text).  Words of the text may pop these cells and push others.
T{ 5 >R 6 . R> . -> }T                  \ expect: "6 5 "
T{ 1 2 >R >R R> R> -> 1 2 }T
T{ 7 >R R@ R R> -> 7 7 7 }T
T{ 9 4 (DO) I -> 4 }T
: take-below R> R> SWAP >R ;
: leave-below R> SWAP >R >R ;
T{ 5 >R take-below 6 leave-below R> -> 5 6 }T
T{ 8 9 >R r1 FALSE verify R> -> 8 9 }T
T{ 1 >R -> }T
T{ R> -> }T          \ expect error: ReturnStackUnderflow
T{ 5 >R R> R> -> }T  \ expect error: ReturnStackUnderflow
T{ 5 >R take-below take-below -> }T     \ expect error: ReturnStackUnderflow
T{ 5 >R (;) -> }T    \ expect error: BadCodeError

T{ DROP -> }T        \ expect error: StackUnderflow
T{ + -> }T           \ expect error: StackUnderflow
T{ 1 + . -> }T       \ expect error: StackUnderflow
T{ 2DROP -> }T       \ expect error: StackUnderflow

\ The stack is checked after each token.  An underflow is not detected if the token pushes at least
\ as many items as were missing.
T{ 1 SWAP -> 0 }T

\ Inside a word, up to 64 missing items read as zero.  This is not an error if the word pushes
\ at least as many items.
: borrow DROP DROP 1 2 3 ;
T{ borrow -> 3 }T
: drown 100 0 DO DROP LOOP ;
T{ drown -> }T       \ expect error: StackUnderflow
: flood BEGIN 1 FALSE UNTIL ;
T{ flood -> }T       \ expect error: StackOverflow
: deep RECURSE 1 ;
T{ deep -> }T        \ expect error: ReturnStackOverflow
T{ 4 DEPTH -> 4 1 }T
\ Indexes are not checked: item 6 of an array of 5 is in the memory after the array.
5 [] cells5
VARIABLE after-cells5
: past 9 6 cells5 ! ;
T{ past 6 cells5 @ -> 9 }T
