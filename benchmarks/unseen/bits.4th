\ Bits counted in three ways, Gray codes and reversed bytes.
: count-slowly ( n -- bits ) 0 SWAP BEGIN DUP WHILE DUP 1 AND ROT + SWAP 2/ REPEAT DROP ;
: count-lowest ( n -- bits ) 0 SWAP BEGIN DUP WHILE DUP 1- AND SWAP 1+ SWAP REPEAT DROP ;
CREATE bits-of 256 ALLOT
: fill-bits ( -- ) 256 0 DO I count-slowly bits-of I + C! LOOP ;
: count-by-table ( n -- bits ) DUP 255 AND bits-of + C@ SWAP 256 / 255 AND bits-of + C@ + ;
: gray ( n -- n' ) DUP 2/ XOR ;
: reversed ( byte -- byte' ) 0 8 0 DO 2* OVER 1 AND OR SWAP 2/ SWAP LOOP SWAP DROP ;
: run ( n -- sum )
  fill-bits 0 SWAP 0 DO
    I 65535 AND gray DUP count-slowly OVER count-lowest + OVER count-by-table + SWAP 255 AND reversed +
    + 1048575 AND
  LOOP ;
