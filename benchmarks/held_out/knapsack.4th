\ The greatest total value of a knapsack of capacity 500, with 30 items to choose from.
VARIABLE seed
: random ( limit -- n ) seed @ 75 * 74 + 65537 MOD DUP seed ! SWAP MOD ;
30 CONSTANT things
500 CONSTANT capacity
CREATE best capacity 1+ CELLS ALLOT
VARIABLE heavy  VARIABLE worth
: load ( room -- addr ) CELLS best + ;
: pack ( -- )
  capacity BEGIN DUP heavy @ < 0= WHILE
    DUP heavy @ - load @ worth @ + OVER load DUP @ 2 PICK < IF ! ELSE 2DROP THEN 1-
  REPEAT DROP ;
: solve ( -- n )
  capacity 1+ 0 DO 0 I load ! LOOP
  things 0 DO 90 random 10 + heavy ! 200 random 1+ worth ! pack LOOP capacity load @ ;
: run ( n -- sum ) 0 SWAP 0 DO I 37 + seed ! solve + LOOP ;
