\ Conway's Life on a torus of 32 by 32 cells.
32 CONSTANT side
side side * CONSTANT area
CREATE board area ALLOT
CREATE next-board area ALLOT
: wrap ( n -- n' ) side + side MOD ;
: alive ( x y -- n ) wrap side * SWAP wrap + board + C@ ;
VARIABLE around
: neighbours ( x y -- n )
  0 around !
  2 -1 DO 2 -1 DO
    I J OR IF 2DUP J + SWAP I + SWAP alive around +! THEN
  LOOP LOOP DROP DROP around @ ;
: fate ( x y -- alive ) 2DUP neighbours DUP 3 = IF DROP DROP DROP 1 ELSE 2 = IF alive ELSE DROP DROP 0 THEN THEN ;
: generation ( -- )
  side 0 DO side 0 DO I J fate J side * I + next-board + C! LOOP LOOP
  area 0 DO next-board I + C@ board I + C! LOOP ;
: sow ( -- ) 321 area 0 DO 1309 * 13849 + 65535 AND DUP 256 / 3 MOD 0= IF 1 ELSE 0 THEN board I + C! LOOP DROP ;
: population ( -- n ) 0 area 0 DO board I + C@ IF I + THEN LOOP ;
: run ( n -- sum ) sow 0 DO generation LOOP population ;
