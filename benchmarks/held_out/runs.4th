\ Run-length coding: encodes a random text, decodes it and compares the result with the text.
VARIABLE seed
: random ( limit -- n ) seed @ 75 * 74 + 65537 MOD DUP seed ! SWAP MOD ;
1000 CONSTANT most
CREATE plain most ALLOT
CREATE coded most 2 * ALLOT
CREATE back most ALLOT
VARIABLE filled  VARIABLE out
: make ( -- )
  0 filled ! BEGIN filled @ most < WHILE
    4 random 65 + 12 random 1+ most filled @ - MIN
    BEGIN DUP WHILE OVER plain filled @ + C! 1 filled +! 1- REPEAT 2DROP
  REPEAT ;
: run-length ( i -- n )
  DUP plain + C@ OVER BEGIN DUP most < IF 2DUP plain + C@ = ELSE 0 THEN WHILE 1+ REPEAT SWAP DROP SWAP - ;
: put ( c -- ) coded out @ + C! 1 out +! ;
: encode ( -- ) 0 out ! 0 BEGIN DUP most < WHILE DUP run-length DUP put OVER plain + C@ put + REPEAT DROP ;
: put-run ( c n -- ) BEGIN DUP WHILE OVER back filled @ + C! 1 filled +! 1- REPEAT 2DROP ;
: decode ( -- ) 0 filled ! 0 BEGIN DUP out @ < WHILE coded OVER + DUP 1+ C@ SWAP C@ put-run 2 + REPEAT DROP ;
: differ ( -- n ) 0 most 0 DO plain I + C@ back I + C@ <> IF 1+ THEN LOOP ;
: digest ( -- n ) 0 out @ 0 DO 31 * coded I + C@ + 1048575 AND LOOP ;
: run ( n -- sum ) 0 SWAP 0 DO I 43 + seed ! make encode decode differ 1000000 * + out @ + digest + 16777215 AND LOOP ;
