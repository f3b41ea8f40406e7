\ Flood fill of a random grid of 40 by 40 squares: the number of regions and the size of the largest.
VARIABLE seed
: random ( limit -- n ) seed @ 75 * 74 + 65537 MOD DUP seed ! SWAP MOD ;
42 CONSTANT row-size                    \ 40 squares between two empty border squares
CREATE grid row-size row-size * ALLOT
CREATE waiting 6400 CELLS ALLOT
VARIABLE #waiting  VARIABLE area  VARIABLE largest  VARIABLE regions
: square ( row column -- addr ) SWAP row-size * + grid + ;
: make ( -- )
  grid row-size row-size * 0 FILL
  41 1 DO 41 1 DO 100 random 60 < IF 1 ELSE 0 THEN J I square C! LOOP LOOP ;
: add-waiting ( addr -- ) DUP C@ IF #waiting @ CELLS waiting + ! 1 #waiting +! ELSE DROP THEN ;
: spread ( addr -- )
  DUP C@ IF
    0 OVER C! 1 area +! DUP 1+ add-waiting DUP 1- add-waiting DUP row-size + add-waiting row-size - add-waiting
  ELSE DROP THEN ;
: region ( addr -- )
  0 area ! add-waiting BEGIN #waiting @ WHILE -1 #waiting +! #waiting @ CELLS waiting + @ spread REPEAT
  area @ largest @ MAX largest ! 1 regions +! ;
: all-regions ( -- )
  0 regions ! 0 largest ! 0 #waiting !
  41 1 DO 41 1 DO J I square DUP C@ IF region ELSE DROP THEN LOOP LOOP ;
: run ( n -- sum ) 0 SWAP 0 DO I 31 + seed ! make all-regions regions @ 1000 * + largest @ + LOOP ;
