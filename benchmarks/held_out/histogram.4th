\ Random numbers counted in 64 bins: the fullest bin, the bin of the median, and the sum of the squared counts.
VARIABLE seed
: random ( limit -- n ) seed @ 75 * 74 + 65537 MOD DUP seed ! SWAP MOD ;
64 CONSTANT bins
4000 CONSTANT samples
CREATE counts bins CELLS ALLOT
: count-of ( i -- addr ) CELLS counts + ;
: sample ( -- i ) 32 random 33 random + ;
: gather ( -- ) bins 0 DO 0 I count-of ! LOOP samples 0 DO 1 sample count-of +! LOOP ;
: fullest ( -- i ) 0 bins 0 DO I count-of @ OVER count-of @ > IF DROP I THEN LOOP ;
: median ( -- i ) 0 0 BEGIN OVER count-of @ + DUP samples 2/ < WHILE SWAP 1+ SWAP REPEAT DROP ;
: squares ( -- n ) 0 bins 0 DO I count-of @ DUP * + LOOP ;
: run ( n -- sum ) 0 SWAP 0 DO I 11 + seed ! gather fullest 1000 * + median + squares + 16777215 AND LOOP ;
