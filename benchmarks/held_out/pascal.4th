\ Pascal's triangle modulo primes: the number of entries in 64 rows that are not divisible by the prime.
64 CONSTANT rows
CREATE row rows CELLS ALLOT
: entry ( i -- addr ) CELLS row + ;
: start ( -- ) rows 0 DO 0 I entry ! LOOP 1 0 entry ! ;
: advance ( p -- ) rows 1- BEGIN DUP WHILE DUP entry @ OVER 1- entry @ + 2 PICK MOD OVER entry ! 1- REPEAT 2DROP ;
: remaining ( -- n ) 0 rows 0 DO I entry @ IF 1+ THEN LOOP ;
: counted ( p -- n ) start 0 rows 0 DO remaining + OVER advance LOOP SWAP DROP ;
: run ( n -- sum ) 0 SWAP 0 DO 2 counted + 3 counted 2 * + 5 counted 3 * + 7 counted 4 * + 13 counted 5 * + LOOP ;
