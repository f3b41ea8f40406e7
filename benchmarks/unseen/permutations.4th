\ Generates all permutations of 8 numbers by exchanges and counts their inversions.
8 CONSTANT most
CREATE row most CELLS ALLOT
VARIABLE found
VARIABLE inversions
: nth ( i -- addr ) CELLS row + ;
: swap-items ( i j -- ) nth SWAP nth OVER @ OVER @ >R SWAP ! R> SWAP ! ;
: count-inversions ( n -- )
  1 DO I BEGIN DUP WHILE 1- DUP nth @ I nth @ > IF 1 inversions +! THEN REPEAT DROP LOOP ;
: permute ( n k -- )
  2DUP = IF DROP 1 found +! count-inversions ELSE
    DUP BEGIN DUP 3 PICK < WHILE
      2DUP swap-items 2 PICK 2 PICK 1+ RECURSE 2DUP swap-items 1+
    REPEAT DROP DROP DROP
  THEN ;
: run ( n -- sum ) 0 found ! 0 inversions ! most 0 DO I I nth ! LOOP 0 permute found @ inversions @ + ;
