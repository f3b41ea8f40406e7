\ Run-length coding: encodes a random text, decodes it and compares the result with the text.
VARIABLE seed
: random ( limit -- n ) seed @ 75 * 74 + 65537 MOD DUP seed ! SWAP MOD ;
1000 CONSTANT size
CREATE plain size ALLOT
CREATE coded size 2 * ALLOT
CREATE decoded size ALLOT
VARIABLE filled  VARIABLE coded-size
: make ( -- )
  0 filled ! BEGIN filled @ size < WHILE
    4 random 65 + 12 random 1+ size filled @ - MIN
    BEGIN DUP WHILE OVER plain filled @ + C! 1 filled +! 1- REPEAT 2DROP
  REPEAT ;
: run-length ( i -- n )
  DUP plain + C@ OVER BEGIN DUP size < IF 2DUP plain + C@ = ELSE 0 THEN WHILE 1+ REPEAT SWAP DROP SWAP - ;
: put ( c -- ) coded coded-size @ + C! 1 coded-size +! ;
: encode ( -- ) 0 coded-size ! 0 BEGIN DUP size < WHILE DUP run-length DUP put OVER plain + C@ put + REPEAT DROP ;
: put-run ( c n -- ) BEGIN DUP WHILE OVER decoded filled @ + C! 1 filled +! 1- REPEAT 2DROP ;
: decode ( -- ) 0 filled ! 0 BEGIN DUP coded-size @ < WHILE coded OVER + DUP 1+ C@ SWAP C@ put-run 2 + REPEAT DROP ;
: differences ( -- n ) 0 size 0 DO plain I + C@ decoded I + C@ <> IF 1+ THEN LOOP ;
: digest ( -- n ) 0 coded-size @ 0 DO 31 * coded I + C@ + 1048575 AND LOOP ;
: run ( n -- sum )
  0 SWAP 0 DO I 43 + seed ! make encode decode differences 1000000 * + coded-size @ + digest + 16777215 AND LOOP ;
