\ Numbers written in bases from 2 to 16 and read back.
CREATE digits 40 ALLOT
VARIABLE written
: put-digit ( n -- ) DUP 9 > IF 55 + ELSE 48 + THEN digits written @ + C! 1 written +! ;
: write-number ( n base -- )
  0 written !
  BEGIN 2DUP MOD put-digit SWAP OVER / SWAP OVER 0= UNTIL DROP DROP ;
: digit-value ( c -- n ) DUP 57 > IF 55 - ELSE 48 - THEN ;
: read-number ( base -- n )
  0 written @ BEGIN DUP WHILE 1- >R OVER * R@ digits + C@ digit-value + R> REPEAT
  DROP SWAP DROP ;
: round-trip ( n base -- n ) SWAP OVER write-number read-number ;
: run ( n -- sum )
  0 SWAP 0 DO 17 2 DO J 7919 * I + I round-trip written @ + + 65535 AND LOOP LOOP ;
