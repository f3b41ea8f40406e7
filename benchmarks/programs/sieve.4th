\ sieve.4th: byte memory and loops. The same text runs in forthvm and gforth.
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
: answer ( -- n ) 0 300 0 DO DROP sieve LOOP ;
