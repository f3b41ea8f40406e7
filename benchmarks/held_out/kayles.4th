\ Nimbers of Kayles: the nimber of a row of pins is the least number that is not the nimber of an option.
100 CONSTANT pins
CREATE nimbers pins 1+ CELLS ALLOT
CREATE reached 64 ALLOT
: nimber ( n -- addr ) CELLS nimbers + ;
: mark-options ( rest -- ) \ marks the nimbers of all divisions of `rest` pins into two rows
  DUP 1+ 0 DO I nimber @ OVER I - nimber @ XOR reached + 1 SWAP C! LOOP DROP ;
: least ( -- n ) 0 BEGIN DUP reached + C@ WHILE 1+ REPEAT ;
: work-out ( n -- ) reached 64 0 FILL DUP 1- mark-options DUP 1 > IF DUP 2 - mark-options THEN least SWAP nimber ! ;
: table ( -- ) 0 0 nimber ! pins 1+ 1 DO I work-out LOOP ;
: digest ( -- n ) 0 pins 1+ 0 DO 7 * I nimber @ + 1048575 AND LOOP ;
: run ( n -- sum ) 0 SWAP 0 DO table digest + 16777215 AND LOOP ;
