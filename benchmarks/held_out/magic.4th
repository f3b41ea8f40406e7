\ Builds magic squares of odd sizes by the Siamese method and checks their sums.
21 CONSTANT widest
CREATE square widest widest * CELLS ALLOT
VARIABLE side  VARIABLE row  VARIABLE column
: at ( row column -- addr ) SWAP side @ * + CELLS square + ;
: clear ( -- ) side @ DUP * 0 DO 0 square I CELLS + ! LOOP ;
: wrap ( n -- n' ) side @ + side @ MOD ;
: move-on ( -- )
  row @ 1- wrap column @ 1+ wrap 2DUP at @ IF 2DROP row @ 1+ wrap row ! ELSE column ! row ! THEN ;
: build ( -- ) clear 0 row ! side @ 2/ column ! side @ DUP * 1+ 1 DO I row @ column @ at ! move-on LOOP ;
: row-sum ( i -- n ) 0 side @ 0 DO OVER I at @ + LOOP SWAP DROP ;
: column-sum ( i -- n ) 0 side @ 0 DO I 2 PICK at @ + LOOP SWAP DROP ;
: diagonal ( -- n ) 0 side @ 0 DO I I at @ + LOOP ;
: good? ( -- flag ) -1 diagonal side @ 0 DO DUP I row-sum = OVER I column-sum = AND 0= IF SWAP DROP 0 SWAP THEN LOOP DROP ;
: corners ( -- n ) \ the first number of the first row, and three times that of the last row
  0 0 at @ side @ 1- 0 at @ 3 * + ;
: run ( n -- sum )
  0 SWAP 0 DO widest 1+ 3 DO I side ! build good? IF diagonal corners + + ELSE 1- THEN 2 +LOOP LOOP ;
