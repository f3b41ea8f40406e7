\ Counts placements of n queens on a board of n by n squares, with flags for files and diagonals.
VARIABLE size
VARIABLE solutions
CREATE files 16 ALLOT
CREATE rising 32 ALLOT
CREATE falling 32 ALLOT
: marks ( row file -- addr addr addr ) DUP files + ROT ROT 2DUP + rising + ROT ROT - size @ + falling + ;
: safe? ( row file -- flag ) marks C@ SWAP C@ OR SWAP C@ OR 0= ;
: set-marks ( n row file -- ) marks 3 PICK SWAP C! 2 PICK SWAP C! C! ;
: place ( row -- )
  DUP size @ = IF DROP 1 solutions +! ELSE
    size @ 0 DO
      DUP I safe? IF 1 OVER I set-marks DUP 1+ RECURSE 0 OVER I set-marks THEN
    LOOP DROP
  THEN ;
: run ( n -- solutions )
  size ! 0 solutions ! 16 0 DO 0 files I + C! LOOP 32 0 DO 0 rising I + C! 0 falling I + C! LOOP
  0 place solutions @ ;
