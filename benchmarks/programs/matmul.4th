\ matmul.4th: two-dimensional arrays, multiplication, deep use of the stack.  The text runs unchanged in
\ forthvm and gforth.

40 CONSTANT order
1 CELLS CONSTANT cell-size
order CELLS CONSTANT row-size
CREATE ma order row-size * ALLOT
CREATE mb order row-size * ALLOT
CREATE mc order row-size * ALLOT
: element ( row col matrix -- addr ) SWAP CELLS + SWAP row-size * + ;
: fill-matrices ( -- )
  order 0 DO order 0 DO
    J 3 * I + 11 MOD J I ma element !
    J I 5 * + 13 MOD J I mb element !
  LOOP LOOP ;
: inner-product ( row-addr col-addr -- n )
  0 order 0 DO
    OVER @ 3 PICK @ * +
    ROT cell-size + ROT row-size + ROT
  LOOP
  SWAP DROP SWAP DROP ;
: multiply ( -- )
  order 0 DO order 0 DO
    J 0 ma element 0 I mb element inner-product J I mc element !
  LOOP LOOP ;
: checksum ( -- sum )
  0 order 0 DO order 0 DO J I mc element @ J I + 1 + * + 65535 AND LOOP LOOP ;
: run-matmul ( rounds -- sum ) fill-matrices 0 DO multiply LOOP checksum ;
