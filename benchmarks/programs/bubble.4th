\ bubble.4th: an array of cells, comparisons, nested loops.  The text runs unchanged in forthvm and gforth.

1 CELLS CONSTANT cell-size
CREATE items 1000 CELLS ALLOT
VARIABLE seed
: next-random ( -- n ) seed @ 1309 * 13849 + 65535 AND DUP seed ! ;
: item ( i -- addr ) CELLS items + ;
: fill-items ( n -- ) 74755 seed ! 0 DO next-random I item ! LOOP ;
: exchange ( addr -- ) DUP @ OVER cell-size + @ 2 PICK ! SWAP cell-size + ! ;
: order ( addr -- ) DUP @ OVER cell-size + @ > IF exchange ELSE DROP ENDIF ;
: bubble ( n -- ) items SWAP 0 DO DUP order cell-size + LOOP DROP ;
: sort-items ( n -- ) BEGIN 1 - DUP WHILE DUP bubble REPEAT DROP ;
: checksum ( n -- sum ) 0 SWAP 0 DO I item @ I * + 65535 AND LOOP ;
: run-bubble ( n -- sum ) DUP fill-items DUP sort-items checksum ;
