\ A factorial with limbs in base 10000, and the sum of its decimal digits.
400 CONSTANT most
CREATE limbs most CELLS ALLOT
VARIABLE used-limbs
VARIABLE carry
: limb ( i -- addr ) CELLS limbs + ;
: one-limb ( -- ) most 0 DO 0 I limb ! LOOP 1 0 limb ! 1 used-limbs ! ;
: times ( n -- )
  0 carry !
  used-limbs @ 0 DO
    DUP I limb @ * carry @ + 10000 /MOD carry ! I limb !
  LOOP DROP
  BEGIN carry @ WHILE
    carry @ 10000 /MOD carry ! used-limbs @ limb ! 1 used-limbs +!
  REPEAT ;
: digit-sum ( n -- sum ) 0 SWAP BEGIN DUP WHILE 10 /MOD SWAP ROT + SWAP REPEAT DROP ;
: factorial ( n -- ) one-limb 1+ 2 DO I times LOOP ;
: run ( n -- sum ) factorial 0 used-limbs @ 0 DO I limb @ digit-sum + LOOP ;
