\ Prime factors by trial division, and Euler's totient from them.
VARIABLE remaining
VARIABLE phi
: divides? ( d -- flag ) remaining @ SWAP MOD 0= ;
: strip ( d -- ) BEGIN DUP divides? WHILE remaining @ OVER / remaining ! REPEAT DROP ;
: take-factor ( d -- ) DUP divides? IF phi @ OVER / OVER 1- * phi ! strip ELSE DROP THEN ;
: totient ( n -- phi )
  DUP remaining ! phi ! 2
  BEGIN DUP DUP * remaining @ > 0= WHILE DUP take-factor 1+ REPEAT DROP
  remaining @ 1 > IF phi @ remaining @ / remaining @ 1- * phi ! THEN phi @ ;
: run ( n -- sum ) 0 SWAP 2 DO I totient + 16777215 AND LOOP ;
