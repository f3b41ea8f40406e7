\ Knight's tours on a board of 5 by 5 squares, counted by backtracking.
5 CONSTANT side
CREATE board side side * ALLOT
CREATE dx 1 , 2 , 2 , 1 , -1 , -2 , -2 , -1 ,
CREATE dy 2 , 1 , -1 , -2 , -2 , -1 , 1 , 2 ,
VARIABLE tours
VARIABLE tries
: inside? ( n -- flag ) DUP 0< 0= SWAP side < AND ;
: square ( x y -- addr ) side * + board + ;
: free? ( x y -- flag ) 2DUP inside? SWAP inside? AND IF square C@ 0= ELSE DROP DROP 0 THEN ;
: go-from ( x y depth -- )
  1 tries +!
  2 PICK 2 PICK square 1 SWAP C!
  DUP side side * = IF 1 tours +! ELSE
    8 0 DO
      2 PICK I CELLS dx + @ + 2 PICK I CELLS dy + @ +
      2DUP free? IF 2 PICK 1+ RECURSE ELSE DROP DROP THEN
    LOOP
  THEN
  DROP square 0 SWAP C! ;
: clear-board ( -- ) side side * 0 DO 0 board I + C! LOOP 0 tours ! 0 tries ! ;
: run ( n -- sum ) clear-board 0 DO I 0 1 go-from LOOP tours @ tries @ + ;
