\ Flood fill of a random grid of 40 by 40 squares: the number of regions and the size of the largest.
VARIABLE seed
: random ( limit -- n ) seed @ 75 * 74 + 65537 MOD DUP seed ! SWAP MOD ;
42 CONSTANT across
CREATE grid across across * ALLOT
CREATE waiting 6400 CELLS ALLOT
VARIABLE pending  VARIABLE area  VARIABLE largest  VARIABLE regions
: square ( row column -- addr ) SWAP across * + grid + ;
: make ( -- )
  grid across across * 0 FILL
  41 1 DO 41 1 DO 100 random 60 < IF 1 ELSE 0 THEN J I square C! LOOP LOOP ;
: later ( addr -- ) DUP C@ IF pending @ CELLS waiting + ! 1 pending +! ELSE DROP THEN ;
: spread ( addr -- )
  DUP C@ IF 0 OVER C! 1 area +! DUP 1+ later DUP 1- later DUP across + later across - later ELSE DROP THEN ;
: region ( addr -- )
  0 area ! later BEGIN pending @ WHILE -1 pending +! pending @ CELLS waiting + @ spread REPEAT
  area @ largest @ MAX largest ! 1 regions +! ;
: all ( -- ) 0 regions ! 0 largest ! 0 pending ! 41 1 DO 41 1 DO J I square DUP C@ IF region ELSE DROP THEN LOOP LOOP ;
: run ( n -- sum ) 0 SWAP 0 DO I 31 + seed ! make all regions @ 1000 * + largest @ + LOOP ;
