\ Union-find: joins the sets of random pairs of numbers until all 500 numbers are in one set.
VARIABLE seed
: random ( limit -- n ) seed @ 75 * 74 + 65537 MOD DUP seed ! SWAP MOD ;
500 CONSTANT size
CREATE parents size CELLS ALLOT
CREATE sizes size CELLS ALLOT
VARIABLE sets  VARIABLE pairs
: parent ( n -- addr ) CELLS parents + ;
: weight ( n -- addr ) CELLS sizes + ;
: start ( -- ) size sets ! 0 pairs ! size 0 DO I I parent ! 1 I weight ! LOOP ;
: root-of ( n -- root ) BEGIN DUP parent @ 2DUP <> WHILE DUP parent @ ROT parent ! parent @ REPEAT DROP ;
: attach ( small large -- ) 2DUP SWAP parent ! SWAP weight @ SWAP weight +! -1 sets +! ;
: join ( a b -- )
  root-of SWAP root-of 2DUP = IF 2DROP ELSE 2DUP weight @ SWAP weight @ < IF SWAP THEN attach THEN ;
: join-all ( -- ) BEGIN sets @ 1 > WHILE size random size random join 1 pairs +! REPEAT ;
: height ( n -- h ) 0 SWAP BEGIN DUP parent @ OVER <> WHILE parent @ SWAP 1+ SWAP REPEAT DROP ;
: heights ( -- n ) 0 size 0 DO I height + LOOP ;
: run ( n -- sum ) 0 SWAP 0 DO I 29 + seed ! start join-all pairs @ + heights + LOOP ;
