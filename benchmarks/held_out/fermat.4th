\ Fermat's test to two bases for all odd numbers below 3000.
VARIABLE modulus
: times-mod ( a b -- c ) * modulus @ MOD ;
: power-mod ( base e -- n )
  1 SWAP BEGIN DUP WHILE DUP 1 AND IF >R OVER times-mod R> THEN >R SWAP DUP times-mod SWAP R> 2/ REPEAT DROP SWAP DROP ;
: passes? ( base n -- flag ) DUP modulus ! 1- power-mod 1 = ;
: probable? ( n -- flag ) 2 OVER passes? IF 3 OVER passes? ELSE 0 THEN SWAP DROP ;
: run ( n -- sum ) 0 SWAP 0 DO 3000 5 DO I probable? IF I + THEN 2 +LOOP LOOP ;
