\ Text justification: words are packed into lines of 60 characters, and spaces are spread over the gaps.
VARIABLE seed
: random ( limit -- n ) seed @ 75 * 74 + 65537 MOD DUP seed ! SWAP MOD ;
60 CONSTANT width
400 CONSTANT word-count
CREATE lengths word-count CELLS ALLOT
CREATE line 64 ALLOT
VARIABLE column  VARIABLE digest  VARIABLE first-word  VARIABLE end-word  VARIABLE gaps  VARIABLE spaces
: size ( word -- n ) CELLS lengths + @ ;
: make-words ( -- ) word-count 0 DO 9 random 1+ I CELLS lengths + ! LOOP ;
: put ( c -- ) line column @ + C! 1 column +! ;
: put-many ( c n -- ) BEGIN DUP WHILE OVER put 1- REPEAT 2DROP ;
: put-word ( word -- ) DUP 26 MOD 97 + SWAP size put-many ;
: mix-line ( -- ) column @ 0 DO digest @ 31 * line I + C@ + 1048575 AND digest ! LOOP ;
: fits? ( used next -- flag ) DUP word-count < IF size + 1+ width > 0= ELSE 2DROP 0 THEN ;
: line-end ( first -- end )
  DUP size SWAP 1+ BEGIN 2DUP fits? WHILE 2DUP size + 1+ ROT DROP SWAP 1+ REPEAT SWAP DROP ;
: letters ( first end -- n ) 0 ROT ROT SWAP DO I size + LOOP ;
: gap ( k -- n ) spaces @ gaps @ MOD < IF 1 ELSE 0 THEN spaces @ gaps @ / + ;
: ragged? ( -- flag ) end-word @ word-count = gaps @ 0= OR ;
: justify ( first end -- )
  end-word ! first-word ! 0 column ! end-word @ first-word @ - 1- gaps ! width first-word @ end-word @ letters - spaces !
  end-word @ first-word @ DO
    I put-word
    I 1+ end-word @ < IF 32 ragged? IF 1 ELSE I first-word @ - gap THEN put-many THEN
  LOOP mix-line ;
: all-lines ( -- ) 0 BEGIN DUP word-count < WHILE DUP line-end SWAP OVER justify REPEAT DROP ;
: run ( n -- sum ) 0 digest ! 0 DO I 7 + seed ! make-words all-lines LOOP digest @ ;
