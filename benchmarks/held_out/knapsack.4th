\ The greatest total value of a knapsack of capacity 500, with 30 items to choose from.
VARIABLE seed
: random ( limit -- n ) seed @ 75 * 74 + 65537 MOD DUP seed ! SWAP MOD ;
30 CONSTANT items
500 CONSTANT capacity
CREATE best capacity 1+ CELLS ALLOT      \ by weight: the best value of the items so far within that weight
VARIABLE item-weight  VARIABLE item-value
: best-for ( weight -- addr ) CELLS best + ;
: pack ( -- )
  capacity BEGIN DUP item-weight @ < 0= WHILE
    DUP item-weight @ - best-for @ item-value @ + OVER best-for DUP @ 2 PICK < IF ! ELSE 2DROP THEN 1-
  REPEAT DROP ;
: solve ( -- n )
  capacity 1+ 0 DO 0 I best-for ! LOOP
  items 0 DO 90 random 10 + item-weight ! 200 random 1+ item-value ! pack LOOP capacity best-for @ ;
: run ( n -- sum ) 0 SWAP 0 DO I 37 + seed ! solve + LOOP ;
