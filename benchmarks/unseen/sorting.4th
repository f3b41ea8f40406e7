\ Insertion sort, Shell sort and quicksort of the same numbers.
500 CONSTANT items
CREATE numbers items CELLS ALLOT
VARIABLE gap
: number ( i -- addr ) CELLS numbers + ;
: shuffle-in ( seed -- ) items 0 DO 1309 * 13849 + 65535 AND DUP I number ! LOOP DROP ;
: insert ( i -- )
  DUP number @ SWAP
  BEGIN DUP 0 > IF DUP 1- number @ 2 PICK > ELSE 0 THEN WHILE
    DUP 1- number @ OVER number ! 1-
  REPEAT number ! ;
: insertion-sort ( -- ) items 1 DO I insert LOOP ;
: gap-insert ( i -- )
  DUP number @ SWAP
  BEGIN DUP gap @ >= IF DUP gap @ - number @ 2 PICK > ELSE 0 THEN WHILE
    DUP gap @ - DUP number @ ROT number !
  REPEAT number ! ;
: shell-sort ( -- ) items 2/ BEGIN DUP WHILE DUP gap ! items OVER DO I gap-insert LOOP 2/ REPEAT DROP ;
VARIABLE pivot
: partition ( low high -- low j i high )
  2DUP + 2/ number @ pivot !
  2DUP SWAP ( low high j i )
  BEGIN
    BEGIN DUP number @ pivot @ < WHILE 1+ REPEAT SWAP
    BEGIN DUP number @ pivot @ > WHILE 1- REPEAT SWAP
    2DUP < 0= IF 2DUP number @ SWAP number @ 2 PICK number ! 2 PICK number ! 1+ SWAP 1- SWAP THEN
    2DUP <
  UNTIL
  ROT ;
: quicksort ( low high -- )
  2DUP < IF partition RECURSE RECURSE ELSE DROP DROP THEN ;
: checksum ( -- sum ) 0 items 0 DO I number @ I * + 16777215 AND LOOP ;
: run ( n -- sum )
  0 SWAP 0 DO
    I 1+ shuffle-in insertion-sort checksum + I 1+ shuffle-in shell-sort checksum +
    I 1+ shuffle-in 0 items 1- quicksort checksum + 16777215 AND
  LOOP ;
