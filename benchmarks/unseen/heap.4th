\ Heapsort and binary search.
2000 CONSTANT items
CREATE heap items CELLS ALLOT
VARIABLE heap-end
: item ( i -- addr ) CELLS heap + ;
: exchange ( i j -- ) item SWAP item 2DUP @ SWAP @ ROT ! SWAP ! ;
: bigger-child ( i -- child )
  2* 1+ DUP 1+ heap-end @ < IF DUP item @ OVER 1+ item @ < IF 1+ THEN THEN ;
: sift ( i -- )
  BEGIN DUP 2* 1+ heap-end @ < IF
      DUP bigger-child 2DUP item @ SWAP item @ > IF SWAP OVER exchange 0 ELSE DROP 1 THEN
    ELSE 1 THEN UNTIL DROP ;
: heapify ( -- ) items heap-end ! items 2/ BEGIN DUP WHILE 1- DUP sift REPEAT DROP ;
: sort-heap ( -- ) heapify BEGIN heap-end @ 1 > WHILE heap-end @ 1- 0 OVER exchange heap-end ! 0 sift REPEAT ;
: fill-heap ( seed -- ) items 0 DO 1309 * 13849 + 65535 AND DUP I item ! LOOP DROP ;
: lookup ( value -- index )
  0 items BEGIN 2DUP 1- < WHILE 2DUP + 2/ DUP item @ 4 PICK > IF SWAP DROP ELSE ROT DROP SWAP THEN REPEAT
  DROP SWAP DROP ;
: run ( n -- sum )
  0 SWAP 0 DO I 99 + fill-heap sort-heap 65536 0 DO I lookup + 64 +LOOP 16777215 AND LOOP ;
