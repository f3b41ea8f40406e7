\ Strings of bytes: reversal, a count of words, capital letters, a search for a substring, hashes.
CREATE text 256 ALLOT
CREATE copy 256 ALLOT
VARIABLE length
: letter ( i -- addr ) text + ;
: make-text ( seed -- ) 200 length ! 200 0 DO 1309 * 13849 + 65535 AND DUP 256 / 7 MOD DUP IF 96 + ELSE DROP 32 THEN I letter C! LOOP DROP ;
: swap-bytes ( a b -- ) 2DUP C@ SWAP C@ ROT C! SWAP C! ;
: reverse ( addr n -- ) OVER + 1- BEGIN 2DUP < WHILE 2DUP swap-bytes 1- SWAP 1+ SWAP REPEAT DROP DROP ;
: blank? ( c -- flag ) 32 = ;
: words-in ( -- n )
  0 0 length @ 0 DO I letter C@ blank? IF DROP 0 ELSE 0= IF 1+ THEN 1 THEN LOOP DROP ;
: capital ( c -- c' ) DUP 96 > OVER 123 < AND IF 32 - THEN ;
: shout ( -- ) length @ 0 DO I letter C@ capital copy I + C! LOOP ;
: same? ( addr addr n -- flag )
  BEGIN DUP IF >R 2DUP C@ SWAP C@ = R> SWAP ELSE 0 THEN WHILE 1- >R 1+ SWAP 1+ SWAP R> REPEAT
  SWAP DROP SWAP DROP 0= ;
: occurrences ( index length -- count )  \ of the substring of the text with this index and length
  0 length @ 3 PICK - 1+ 0 DO 2 PICK letter I letter 3 PICK same? IF 1+ THEN LOOP SWAP DROP SWAP DROP ;
: hash ( addr n -- h ) 5381 SWAP 0 DO 33 * OVER I + C@ + 65535 AND LOOP SWAP DROP ;
: run ( n -- sum )
  0 SWAP 0 DO
    I 17 + make-text words-in + shout copy length @ hash + text length @ reverse text length @ hash +
    10 2 occurrences + 16777215 AND
  LOOP ;
