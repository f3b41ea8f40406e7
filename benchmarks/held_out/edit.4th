\ The edit distance of two words of 60 letters; only one row of the table is in memory.
VARIABLE seed
: random ( limit -- n ) seed @ 75 * 74 + 65537 MOD DUP seed ! SWAP MOD ;
60 CONSTANT length
CREATE word-a length ALLOT
CREATE word-b length ALLOT
CREATE row length 1+ CELLS ALLOT
VARIABLE diagonal                       \ the cost above and to the left of the current cell
: cost ( i -- addr ) CELLS row + ;
: make ( addr -- ) length 0 DO 4 random 97 + OVER I + C! LOOP DROP ;
: substitution ( i j -- 0 | 1 ) word-b + C@ SWAP word-a + C@ = IF 0 ELSE 1 THEN ;
: fill-cell ( i j -- )
  2DUP substitution diagonal @ + ROT DROP OVER 1+ cost @ 1+ MIN OVER cost @ 1+ MIN
  OVER 1+ cost DUP @ diagonal ! ! DROP ;
: next-row ( i -- )
  0 cost @ diagonal ! DUP 1+ 0 cost ! length 0 DO DUP I fill-cell LOOP DROP ;
: distance ( -- n ) length 1+ 0 DO I I cost ! LOOP length 0 DO I next-row LOOP length cost @ ;
: run ( n -- sum ) 0 SWAP 0 DO I 13 + seed ! word-a make word-b make distance + LOOP ;
