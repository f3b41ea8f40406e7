\ Powers of a matrix modulo a prime; the result is the sum of their traces.
12 CONSTANT order
251 CONSTANT prime
: matrix CREATE order order * CELLS ALLOT ;
matrix base-matrix
matrix power
matrix product
VARIABLE target
: at ( row col matrix -- addr ) ROT order * ROT + CELLS + ;
: dot ( row col a b -- n )
  0 order 0 DO
    4 PICK I 4 PICK at @ I 5 PICK 4 PICK at @ * + prime MOD
  LOOP >R DROP DROP DROP DROP R> ;
: multiply ( a b -- ) order 0 DO order 0 DO 2DUP J ROT ROT I ROT ROT dot J I product at ! LOOP LOOP DROP DROP ;
: copy-product ( matrix -- ) order order * 0 DO I CELLS product + @ OVER I CELLS + ! LOOP DROP ;
: fill-base ( -- ) order 0 DO order 0 DO J 7 * I 3 * + 1+ prime MOD DUP J I base-matrix at ! J I power at ! LOOP LOOP ;
: trace-of ( matrix -- n ) 0 order 0 DO OVER I I ROT at @ + LOOP SWAP DROP ;
: run ( n -- sum ) fill-base 0 SWAP 0 DO power base-matrix multiply power copy-product power trace-of + LOOP ;
