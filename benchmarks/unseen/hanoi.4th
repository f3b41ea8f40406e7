\ The towers of Hanoi with three stacks of discs in memory.
16 CONSTANT deepest
CREATE pegs 3 deepest 1+ * CELLS ALLOT
VARIABLE moves-made
: peg ( n -- addr ) deepest 1+ * CELLS pegs + ;
: height ( peg -- n ) peg @ ;
: push-disc ( disc peg -- ) DUP peg 1 SWAP +! DUP height CELLS SWAP peg + ! ;
: pop-disc ( peg -- disc ) DUP height CELLS OVER peg + @ SWAP peg -1 SWAP +! ;
: move-disc ( from to -- ) SWAP pop-disc SWAP push-disc 1 moves-made +! ;
: other-peg ( from to -- third ) + 3 SWAP - ;
: hanoi ( n from to -- )
  2 PICK 0= IF DROP DROP DROP ELSE
    2 PICK 1- 2 PICK 2 PICK 2DUP other-peg SWAP DROP RECURSE
    2DUP move-disc
    ROT 1- ROT ROT 2DUP other-peg ROT DROP SWAP RECURSE
  THEN ;
: set-up ( n -- ) 3 0 DO 0 I peg ! LOOP 0 moves-made ! BEGIN DUP WHILE DUP 0 push-disc 1- REPEAT DROP ;
: checksum ( -- sum ) 0 2 height 0 DO 2 peg I 1+ CELLS + @ I 1+ * + LOOP ;
: run ( n -- sum ) DUP set-up 0 2 hanoi checksum moves-made @ + ;
