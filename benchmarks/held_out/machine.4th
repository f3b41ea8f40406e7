\ A simulated stack machine with ten instructions; their handlers are called through a table of tokens.
CREATE code 64 CELLS ALLOT
CREATE handlers 16 CELLS ALLOT
CREATE registers 8 CELLS ALLOT
CREATE items 32 CELLS ALLOT
VARIABLE pc  VARIABLE top  VARIABLE running  VARIABLE code-length
: fetch ( -- n ) pc @ CELLS code + @ 1 pc +! ;
: push ( n -- ) top @ CELLS items + ! 1 top +! ;
: pop ( -- n ) -1 top +! top @ CELLS items + @ ;
: do-halt ( -- ) 0 running ! ;
: do-push ( -- ) fetch push ;
: do-load ( -- ) fetch CELLS registers + @ push ;
: do-store ( -- ) pop fetch CELLS registers + ! ;
: do-add ( -- ) pop pop + 1048575 AND push ;
: do-sub ( -- ) pop pop SWAP - push ;
: do-mul ( -- ) pop pop * 1023 AND push ;
: do-jump ( -- ) fetch pc ! ;
: do-branch ( -- ) fetch pop IF pc ! ELSE DROP THEN ;
: do-dup ( -- ) pop DUP push push ;
: handler ( token n -- ) CELLS handlers + ! ;
' do-halt 0 handler  ' do-push 1 handler  ' do-load 2 handler  ' do-store 3 handler
' do-add 4 handler  ' do-sub 5 handler  ' do-mul 6 handler  ' do-jump 7 handler
' do-branch 8 handler  ' do-dup 9 handler
: emit-code ( n -- ) code-length @ CELLS code + ! 1 code-length +! ;
: assemble ( n -- ) \ register 1 := the sum of squares of n ... 1
  0 code-length ! 1 emit-code emit-code 3 emit-code 0 emit-code        \ push n, store 0
  1 emit-code 0 emit-code 3 emit-code 1 emit-code                      \ push 0, store 1
  \ address 8: load 0, dup, mul, load 1, add, store 1
  2 emit-code 0 emit-code 9 emit-code 6 emit-code 2 emit-code 1 emit-code 4 emit-code 3 emit-code 1 emit-code
  \ load 0, push 1, sub, dup, store 0
  2 emit-code 0 emit-code 1 emit-code 1 emit-code 5 emit-code 9 emit-code 3 emit-code 0 emit-code
  8 emit-code 8 emit-code 0 emit-code ;                                \ branch 8, halt
: execute-code ( -- ) 0 pc ! 0 top ! 1 running ! BEGIN fetch CELLS handlers + @ EXECUTE running @ 0= UNTIL ;
: run ( n -- sum ) 0 SWAP 0 DO I 100 + assemble execute-code 1 CELLS registers + @ + 16777215 AND LOOP ;
