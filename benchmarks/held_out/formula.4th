\ Generates random arithmetic formulas as texts and evaluates them by recursive descent.
VARIABLE seed
: random ( limit -- n ) seed @ 75 * 74 + 65537 MOD DUP seed ! SWAP MOD ;
CREATE text 4000 ALLOT
VARIABLE at  VARIABLE length  VARIABLE 'sum  VARIABLE 'formula
: add ( c -- ) text length @ + C! 1 length +! ;
: simple ( -- ) 10 random 48 + add ;
: bracketed ( depth -- ) 40 add 1- 'formula @ EXECUTE 41 add ;
: part ( depth -- ) DUP 0> IF 3 random 0= ELSE 0 THEN IF bracketed ELSE DROP simple THEN ;
: sign ( -- ) 3 random DUP 0= IF DROP 43 ELSE 1 = IF 45 ELSE 42 THEN THEN add ;
: formula ( depth -- ) DUP part 4 BEGIN DUP WHILE sign OVER part 1- REPEAT 2DROP ;
' formula 'formula !
: next-char ( -- c ) text at @ + C@ ;
: skip ( -- ) 1 at +! ;
: factor ( -- n ) next-char 40 = IF skip 'sum @ EXECUTE ELSE next-char 48 - THEN skip ;
: product ( -- n ) factor BEGIN next-char 42 = WHILE skip factor * 65535 AND REPEAT ;
: sum ( -- n )
  product BEGIN next-char 43 = next-char 45 = OR WHILE
    next-char skip 43 = IF product + ELSE product - THEN 65535 AND
  REPEAT ;
' sum 'sum !
: end-text ( -- ) 59 add ;                \ ; follows the formula, so that every read has a character
: evaluate-text ( -- n ) 0 at ! sum ;
: run ( n -- sum ) 0 SWAP 0 DO I 41 + seed ! 0 length ! 4 formula end-text evaluate-text + length @ + LOOP ;
