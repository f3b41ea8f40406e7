\ A hash table with open addressing that counts pseudo-random keys.
1024 CONSTANT slots
CREATE keys slots CELLS ALLOT
CREATE counts slots CELLS ALLOT
VARIABLE seed
VARIABLE probes
: random ( n -- r ) seed @ 1309 * 13849 + 65535 AND DUP seed ! SWAP MOD ;
: key-at ( slot -- addr ) CELLS keys + ;
: count-at ( slot -- addr ) CELLS counts + ;
: hash ( key -- slot ) DUP 31 * SWAP 17 / XOR slots 1- AND ;
: taken? ( key slot -- flag ) key-at @ DUP 0= IF DROP DROP 0 ELSE <> THEN ;
: find-slot ( key -- slot ) DUP hash BEGIN 2DUP taken? WHILE 1+ slots 1- AND 1 probes +! REPEAT SWAP DROP ;
: count-key ( key -- ) DUP find-slot SWAP OVER key-at ! 1 SWAP count-at +! ;
: clear-table ( -- ) slots 0 DO 0 I key-at ! 0 I count-at ! LOOP 0 probes ! 7 seed ! ;
: squares ( -- sum ) 0 slots 0 DO I count-at @ DUP * + LOOP ;
: run ( n -- sum ) clear-table 0 DO 700 random 1+ count-key LOOP squares probes @ + 16777215 AND ;
