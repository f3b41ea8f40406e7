\ Writes numbers as Roman numerals and reads them back.
CREATE values 1000 , 900 , 500 , 400 , 100 , 90 , 50 , 40 , 10 , 9 , 5 , 4 , 1 ,
CREATE text 32 ALLOT
VARIABLE length
: letter ( c -- ) text length @ + C! 1 length +! ;
: numeral ( i -- )
  DUP 0 = IF 77 letter THEN DUP 1 = IF 67 letter 77 letter THEN DUP 2 = IF 68 letter THEN
  DUP 3 = IF 67 letter 68 letter THEN DUP 4 = IF 67 letter THEN DUP 5 = IF 88 letter 67 letter THEN
  DUP 6 = IF 76 letter THEN DUP 7 = IF 88 letter 76 letter THEN DUP 8 = IF 88 letter THEN
  DUP 9 = IF 73 letter 88 letter THEN DUP 10 = IF 86 letter THEN DUP 11 = IF 73 letter 86 letter THEN
  12 = IF 73 letter THEN ;
: write-roman ( n -- ) 0 length ! 13 0 DO BEGIN DUP I CELLS values + @ >= WHILE I CELLS values + @ - I numeral REPEAT LOOP DROP ;
: worth ( c -- n )
  DUP 77 = IF DROP 1000 ELSE DUP 68 = IF DROP 500 ELSE DUP 67 = IF DROP 100 ELSE DUP 76 = IF DROP 50 ELSE
  DUP 88 = IF DROP 10 ELSE 86 = IF 5 ELSE 1 THEN THEN THEN THEN THEN THEN ;
: read-roman ( -- n )
  0 0 length @ BEGIN DUP WHILE 1- DUP text + C@ worth ( total last i value )
    DUP 3 PICK < IF 3 PICK SWAP - ELSE DUP 4 PICK + SWAP DROP THEN
    OVER text + C@ worth SWAP ( total last i last' total' ) >R >R SWAP DROP SWAP DROP R> R> SWAP ROT
  REPEAT DROP DROP ;
: run ( n -- sum ) 0 SWAP 1 DO I write-roman read-roman length @ + + 16777215 AND LOOP ;
