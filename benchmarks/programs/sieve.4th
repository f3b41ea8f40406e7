\ sieve.4th: bytes and loops; primes among the odd numbers 3, 5 ... 16381.  The text runs unchanged in
\ forthvm and gforth.

8190 CONSTANT size
CREATE flags 8192 ALLOT
: sieve ( -- primes )
  0 flags size 1 FILL
  size 0 DO
    flags I + C@ IF
      I 2 * 3 + DUP I +
      BEGIN DUP size < WHILE 0 OVER flags + C! OVER + REPEAT
      DROP DROP 1 +
    ENDIF
  LOOP ;
: run-sieve ( rounds -- primes ) 0 SWAP 0 DO DROP sieve LOOP ;
