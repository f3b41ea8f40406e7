\ A sliding puzzle of 2 by 3 squares: finds all positions by breadth-first search.
\ A position is a number with six digits in base 8: the tile on each square, 0 for the blank square.
6 CONSTANT squares
262144 CONSTANT codes                   \ 8 to the power of 6
42792 CONSTANT start                    \ 123450 in base 8
CREATE board squares ALLOT
CREATE depth-of codes ALLOT             \ by position: 1 + its distance from the start; 0: not reached yet
CREATE queue 720 CELLS ALLOT
VARIABLE head  VARIABLE tail  VARIABLE blank
: tile ( i -- addr ) board + ;
: pack ( -- n ) 0 squares 0 DO 8 * I tile C@ + LOOP ;
: unpack ( n -- ) squares BEGIN DUP WHILE 1- OVER 7 AND DUP 0= IF OVER blank ! THEN OVER tile C! SWAP 8 / SWAP REPEAT 2DROP ;
: reached ( depth n -- ) DUP depth-of + C@ IF 2DROP ELSE SWAP OVER depth-of + C! tail @ CELLS queue + ! 1 tail +! THEN ;
: slide ( depth square -- )
  DUP tile C@ OVER tile 0 SWAP C! blank @ tile C! OVER pack reached
  blank @ tile C@ OVER tile C! 0 blank @ tile C! 2DROP ;
: expand ( n -- )
  DUP depth-of + C@ 1+ SWAP unpack
  blank @ 3 < IF DUP blank @ 3 + slide ELSE DUP blank @ 3 - slide THEN
  blank @ 3 MOD 0 > IF DUP blank @ 1- slide THEN
  blank @ 3 MOD 2 < IF DUP blank @ 1+ slide THEN DROP ;
: clear ( -- ) 0 head ! BEGIN head @ tail @ < WHILE 0 head @ CELLS queue + @ depth-of + C! 1 head +! REPEAT 0 head ! 0 tail ! ;
: search ( n -- ) clear 1 SWAP reached BEGIN head @ tail @ < WHILE head @ CELLS queue + @ expand 1 head +! REPEAT ;
: depths ( -- n ) 0 tail @ 0 DO I CELLS queue + @ depth-of + C@ 1- + LOOP ;
: deepest ( -- n ) tail @ 1- CELLS queue + @ depth-of + C@ 1- ;
: run ( n -- sum )
  depth-of codes 0 FILL 0 tail !
  0 SWAP 0 DO start search depths + deepest 1000 * + tail @ + LOOP ;
