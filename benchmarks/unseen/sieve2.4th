\ The sieve of Eratosthenes below 20000, and a count of twin primes.
20000 CONSTANT limit
CREATE composite limit ALLOT
: composite? ( n -- flag ) composite + C@ ;
: strike ( n -- ) 1 SWAP composite + C! ;
: strike-multiples ( prime -- ) DUP DUP * BEGIN DUP limit < WHILE DUP strike OVER + REPEAT DROP DROP ;
: sieve ( -- ) \ the square of 142 is above the limit
  composite limit 0 FILL 142 2 DO I composite? 0= IF I strike-multiples THEN LOOP ;
: prime? ( n -- flag ) composite? 0= ;
: twins ( -- n ) 0 limit 2 - 3 DO I prime? IF I 2 + prime? IF 1+ THEN THEN LOOP ;
: run ( n -- sum ) 0 SWAP 0 DO sieve twins + LOOP ;
