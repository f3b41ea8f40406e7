\ Prime factors by trial division, and Euler's totient from them.
VARIABLE rest
VARIABLE phi
: divides? ( d -- flag ) rest @ SWAP MOD 0= ;
: strip ( d -- ) BEGIN DUP divides? WHILE rest @ OVER / rest ! REPEAT DROP ;
: take-factor ( d -- ) DUP divides? IF phi @ OVER / OVER 1- * phi ! strip ELSE DROP THEN ;
: totient ( n -- phi )
  DUP rest ! phi ! 2
  BEGIN DUP DUP * rest @ > 0= WHILE DUP take-factor 1+ REPEAT DROP
  rest @ 1 > IF phi @ rest @ / rest @ 1- * phi ! THEN phi @ ;
: run ( n -- sum ) 0 SWAP 2 DO I totient + 16777215 AND LOOP ;
