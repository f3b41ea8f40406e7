\ The determinant of a matrix of 12 by 12 modulo a prime, by Gaussian elimination.
VARIABLE seed
: random ( limit -- n ) seed @ 75 * 74 + 65537 MOD DUP seed ! SWAP MOD ;
12 CONSTANT order
10007 CONSTANT prime
CREATE entries order order * CELLS ALLOT
VARIABLE sign  VARIABLE pivot-inverse
: at ( row column -- addr ) SWAP order * + CELLS entries + ;
: make ( -- ) order 0 DO order 0 DO prime random J I at ! LOOP LOOP ;
: power ( n e -- n^e ) 1 >R BEGIN DUP WHILE DUP 1 AND IF OVER R> * prime MOD >R THEN 2/ SWAP DUP * prime MOD SWAP REPEAT 2DROP R> ;
: inverse ( n -- n' ) prime 2 - power ;
: pivot ( k -- row ) DUP BEGIN DUP order < IF 2DUP SWAP at @ 0= ELSE 0 THEN WHILE 1+ REPEAT SWAP DROP ;
: swap-rows ( a b -- )
  order 0 DO OVER I at @ OVER I at @ 3 PICK I at ! OVER I at ! LOOP 2DROP ;
: subtract-row ( factor k row -- )
  order 0 DO OVER I at @ 3 PICK * prime MOD NEGATE OVER I at @ + DUP 0< IF prime + THEN OVER I at ! LOOP 2DROP DROP ;
: eliminate ( k -- )
  DUP DUP at @ inverse pivot-inverse !
  DUP 1+ BEGIN DUP order < WHILE
    2DUP SWAP at @ pivot-inverse @ * prime MOD 2 PICK 2 PICK subtract-row 1+
  REPEAT 2DROP ;
: prepare ( k -- singular? )
  DUP pivot DUP order = IF 2DROP -1 ELSE 2DUP = IF 2DROP ELSE swap-rows sign @ NEGATE sign ! THEN 0 THEN ;
: determinant ( -- d )
  1 sign ! 1 order 0 DO I prepare IF DROP 0 ELSE I eliminate I I at @ * prime MOD THEN LOOP
  sign @ * DUP 0< IF prime + THEN ;
: run ( n -- sum ) 0 SWAP 0 DO I 3 + seed ! make determinant + LOOP ;
