\ The Ackermann function: deep recursion.
: ack ( m n -- a )
  OVER 0= IF SWAP DROP 1+ ELSE
  DUP 0= IF DROP 1- 1 RECURSE ELSE
  OVER SWAP 1- RECURSE SWAP 1- SWAP RECURSE THEN THEN ;
: run ( n -- a ) 2 SWAP ack 2 7 ack + ;
