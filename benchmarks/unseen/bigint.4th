\ A factorial with limbs in base 10000, and the sum of its decimal digits.
400 CONSTANT max-limbs
CREATE limbs max-limbs CELLS ALLOT
VARIABLE used-limbs
VARIABLE carry
: limb ( i -- addr ) CELLS limbs + ;
: one-limb ( -- ) max-limbs 0 DO 0 I limb ! LOOP 1 0 limb ! 1 used-limbs ! ;
: multiply-by ( n -- )
  0 carry !
  used-limbs @ 0 DO
    DUP I limb @ * carry @ + 10000 /MOD carry ! I limb !
  LOOP DROP
  BEGIN carry @ WHILE
    carry @ 10000 /MOD carry ! used-limbs @ limb ! 1 used-limbs +!
  REPEAT ;
: digit-sum ( n -- sum ) 0 SWAP BEGIN DUP WHILE 10 /MOD SWAP ROT + SWAP REPEAT DROP ;
: factorial ( n -- ) one-limb 1+ 2 DO I multiply-by LOOP ;
: run ( n -- sum ) factorial 0 used-limbs @ 0 DO I limb @ digit-sum + LOOP ;
