\ Shortest paths through a grid of costs by Dijkstra's algorithm, without a heap.
24 CONSTANT width
width width * CONSTANT nodes
999999 CONSTANT infinite
CREATE costs nodes CELLS ALLOT
CREATE distances nodes CELLS ALLOT
CREATE visited nodes ALLOT
: cost ( node -- addr ) CELLS costs + ;
: distance ( node -- addr ) CELLS distances + ;
: prepare ( seed -- )
  nodes 0 DO 1309 * 13849 + 65535 AND DUP 9 MOD 1+ I cost ! infinite I distance ! 0 visited I + C! LOOP
  DROP 0 0 distance ! ;
: nearest ( -- node )
  -1 infinite nodes 0 DO
    visited I + C@ 0= IF I distance @ 2DUP > IF SWAP DROP SWAP DROP I SWAP ELSE DROP THEN THEN
  LOOP DROP ;
: relax ( distance node -- )
  SWAP OVER cost @ + SWAP distance 2DUP @ < IF ! ELSE DROP DROP THEN ;
: neighbours ( node -- )
  DUP distance @ SWAP
  DUP width MOD IF 2DUP 1- relax THEN
  DUP width MOD width 1- < IF 2DUP 1+ relax THEN
  DUP width >= IF 2DUP width - relax THEN
  DUP nodes width - < IF 2DUP width + relax THEN
  DROP DROP ;
: search-all ( -- ) BEGIN nearest DUP 0< 0= WHILE 1 OVER visited + C! neighbours REPEAT DROP ;
: run ( n -- sum ) 0 SWAP 0 DO I 1+ prepare search-all nodes 1- distance @ + LOOP ;
