\ Conway's Life on a torus.
32 CONSTANT side
side side * CONSTANT area
CREATE now area ALLOT
CREATE then-on area ALLOT
: wrap ( n -- n' ) side + side MOD ;
: alive ( x y -- n ) wrap side * SWAP wrap + now + C@ ;
VARIABLE around
: neighbours ( x y -- n )
  0 around !
  2 -1 DO 2 -1 DO
    I J OR IF 2DUP J + SWAP I + SWAP alive around +! THEN
  LOOP LOOP DROP DROP around @ ;
: fate ( x y -- alive ) 2DUP neighbours DUP 3 = IF DROP DROP DROP 1 ELSE 2 = IF alive ELSE DROP DROP 0 THEN THEN ;
: generation ( -- )
  side 0 DO side 0 DO I J fate J side * I + then-on + C! LOOP LOOP
  area 0 DO then-on I + C@ now I + C! LOOP ;
: sow ( -- ) 321 area 0 DO 1309 * 13849 + 65535 AND DUP 256 / 3 MOD 0= IF 1 ELSE 0 THEN now I + C! LOOP DROP ;
: population ( -- n ) 0 area 0 DO now I + C@ IF I + THEN LOOP ;
: run ( n -- sum ) sow 0 DO generation LOOP population ;
