\ The Walsh-Hadamard transform of 256 numbers, after reversing the bits of their indices.
VARIABLE seed
: random ( limit -- n ) seed @ 75 * 74 + 65537 MOD DUP seed ! SWAP MOD ;
256 CONSTANT points
CREATE signal points CELLS ALLOT
: point ( i -- addr ) CELLS signal + ;
: reversed ( i -- j ) 0 8 0 DO 2* OVER 1 AND + SWAP 2/ SWAP LOOP SWAP DROP ;
: exchange ( i j -- ) point SWAP point 2DUP @ SWAP @ ROT ! SWAP ! ;
: shuffle ( -- ) points 0 DO I reversed DUP I > IF I exchange ELSE DROP THEN LOOP ;
VARIABLE upper  VARIABLE lower
: butterfly ( i half -- )
  OVER + point upper ! point lower ! lower @ @ upper @ @ 2DUP + lower @ ! - upper @ ! ;
: stage ( half -- ) points 0 DO DUP I AND 0= IF I OVER butterfly THEN LOOP DROP ;
: transform ( -- ) 1 BEGIN DUP points < WHILE DUP stage 2* REPEAT DROP ;
: make ( -- ) points 0 DO 100 random I point ! LOOP ;
: digest ( -- n ) 0 points 0 DO 3 * I point @ ABS + 1048575 AND LOOP ;
: run ( n -- sum ) 0 SWAP 0 DO I 19 + seed ! make shuffle transform digest + 16777215 AND LOOP ;
