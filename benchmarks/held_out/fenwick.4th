\ A Fenwick tree of 512 numbers: additions, prefix sums and searches for a prefix sum, with random arguments.
VARIABLE seed
: random ( limit -- n ) seed @ 75 * 74 + 65537 MOD DUP seed ! SWAP MOD ;
512 CONSTANT size
CREATE tree size 1+ CELLS ALLOT
: lowest-bit ( n -- bit ) DUP NEGATE AND ;
: clear ( -- ) size 1+ 0 DO 0 tree I CELLS + ! LOOP ;
: add-to ( n i -- ) BEGIN DUP size > 0= WHILE 2DUP CELLS tree + +! DUP lowest-bit + REPEAT 2DROP ;
: prefix ( i -- sum ) 0 SWAP BEGIN DUP WHILE DUP CELLS tree + @ ROT + SWAP DUP lowest-bit - REPEAT DROP ;
: find ( sum -- i ) \ the largest i whose prefix sum is at most `sum`
  0 size BEGIN DUP WHILE
    2DUP + size > IF 0 ELSE 2DUP + CELLS tree + @ 3 PICK > 0= THEN
    IF DUP >R + DUP CELLS tree + @ ROT SWAP - SWAP R> THEN 2/
  REPEAT DROP SWAP DROP ;
: work ( -- n )
  0 500 0 DO 50 random size random 1+ add-to size random prefix + 2000 random find + LOOP ;
: run ( n -- sum ) 0 SWAP 0 DO I 23 + seed ! clear work + 16777215 AND LOOP ;
