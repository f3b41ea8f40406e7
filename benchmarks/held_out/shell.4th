\ Shell sort of 1000 numbers, and a count of neighbours that are out of order.
VARIABLE seed
: random ( limit -- n ) seed @ 75 * 74 + 65537 MOD DUP seed ! SWAP MOD ;
1000 CONSTANT items
CREATE numbers items CELLS ALLOT
VARIABLE step
: item ( i -- addr ) CELLS numbers + ;
: make ( -- ) items 0 DO 30000 random I item ! LOOP ;
: sink ( i -- )
  DUP item @ SWAP
  BEGIN DUP step @ < IF 0 ELSE 2DUP step @ - item @ < THEN WHILE
    DUP step @ - DUP item @ ROT item ! REPEAT
  item ! ;
: sort-by-step ( -- ) items step @ DO I sink LOOP ;
: sort ( -- ) items 2/ BEGIN DUP WHILE DUP step ! sort-by-step 2/ REPEAT DROP ;
: disorder ( -- n ) 0 items 1 DO I item @ I 1- item @ < IF 1+ THEN LOOP ;
: weight ( -- n ) 0 items 0 DO I item @ I 1+ * + 1048575 AND LOOP ;
: run ( n -- sum ) 0 SWAP 0 DO I 9 + seed ! make sort disorder 100000 * + weight + 16777215 AND LOOP ;
