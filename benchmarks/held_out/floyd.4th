\ The lengths of all shortest paths between 24 towns (Floyd and Warshall).
VARIABLE seed
: random ( limit -- n ) seed @ 75 * 74 + 65537 MOD DUP seed ! SWAP MOD ;
24 CONSTANT towns
9999 CONSTANT far                       \ there is no path
CREATE ways towns towns * CELLS ALLOT
: way ( from to -- addr ) SWAP towns * + CELLS ways + ;
: make ( -- )
  towns 0 DO towns 0 DO I J = IF 0 ELSE 5 random 0= IF 100 random 1+ ELSE far THEN THEN J I way ! LOOP LOOP ;
VARIABLE through
: relax ( from to -- )
  OVER through @ way @ through @ 2 PICK way @ + ROT ROT way DUP @ 2 PICK > IF ! ELSE 2DROP THEN ;
: all-ways ( -- ) towns 0 DO I through ! towns 0 DO towns 0 DO J I relax LOOP LOOP LOOP ;
: total ( -- n ) \ the sum of all lengths, each at most 511
  0 towns towns * 0 DO ways I CELLS + @ 511 MIN + LOOP ;
: run ( n -- sum ) 0 SWAP 0 DO I 5 + seed ! make all-ways total + LOOP ;
