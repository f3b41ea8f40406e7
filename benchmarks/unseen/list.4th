\ Linked lists of cells from a pool: insertion in order, reversal and merging.
4096 CONSTANT pool-size
CREATE pool pool-size 2 * CELLS ALLOT
VARIABLE free-cell
VARIABLE list-head
: cell-at ( n -- addr ) 2 * CELLS pool + ;
: next-link ( addr -- addr' ) 1 CELLS + ;
: new-node ( value next -- addr ) free-cell @ cell-at 1 free-cell +! SWAP OVER next-link ! SWAP OVER ! ;
: insert ( value -- )
  list-head BEGIN DUP @ DUP IF @ 2 PICK < ELSE DROP 0 THEN WHILE @ next-link REPEAT
  SWAP OVER @ new-node SWAP ! ;
: reverse-list ( list -- list' ) 0 SWAP BEGIN DUP WHILE DUP next-link @ >R SWAP OVER next-link ! R> REPEAT DROP ;
: sum-list ( list -- sum ) 0 1 ROT BEGIN DUP WHILE DUP @ 2 PICK * 3 PICK + 16777215 AND >R ROT DROP R> ROT ROT SWAP 1+ SWAP next-link @ REPEAT DROP DROP ;
: build ( n seed -- ) 0 list-head ! 0 free-cell ! SWAP 0 DO 1309 * 13849 + 65535 AND DUP insert LOOP DROP ;
: run ( n -- sum ) 0 SWAP 0 DO 200 I 5 + build list-head @ reverse-list DUP sum-list SWAP reverse-list sum-list + + 16777215 AND LOOP ;
