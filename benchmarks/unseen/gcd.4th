\ Greatest common divisors of all pairs of numbers below n, by division and by subtraction; least common multiples.
: gcd ( a b -- g ) BEGIN DUP WHILE SWAP OVER MOD REPEAT DROP ;
: gcd-by-difference ( a b -- g ) BEGIN 2DUP <> WHILE 2DUP > IF SWAP OVER - SWAP ELSE OVER - THEN REPEAT DROP ;
: lcm ( a b -- l ) 2DUP gcd / * ;
VARIABLE total
: pair ( a b -- ) 2DUP gcd total +! 2DUP gcd-by-difference total +! lcm 1023 AND total +! ;
: run ( n -- sum ) 0 total ! DUP 1 DO DUP 1 DO J I pair LOOP LOOP DROP total @ 16777215 AND ;
