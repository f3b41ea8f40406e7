\ A binary search tree: insertion, lookup, depth, and a weighted sum of the keys in order.
2048 CONSTANT most-nodes
CREATE nodes most-nodes 3 * CELLS ALLOT
VARIABLE used-nodes
VARIABLE root
VARIABLE weight
: node ( n -- addr ) 3 * CELLS nodes + ;
: left ( node -- addr ) 1 CELLS + ;
: right ( node -- addr ) 2 CELLS + ;
: new-node ( key -- addr ) used-nodes @ node 1 used-nodes +! 0 OVER left ! 0 OVER right ! SWAP OVER ! ;
: link-for ( key -- addr )
  root BEGIN DUP @ WHILE @ 2DUP @ < IF left ELSE right THEN REPEAT SWAP DROP ;
: insert ( key -- ) DUP link-for SWAP new-node SWAP ! ;
: depth-of ( node -- n ) DUP IF DUP left @ RECURSE SWAP right @ RECURSE 2DUP < IF SWAP THEN DROP 1+ THEN ;
: add-in-order ( node -- )
  DUP IF DUP left @ RECURSE 1 weight +! DUP @ weight @ * 65535 AND weight +! DUP right @ RECURSE THEN DROP ;
: contains? ( key -- flag ) root @ BEGIN DUP IF 2DUP @ <> ELSE 0 THEN WHILE 2DUP @ < IF left @ ELSE right @ THEN REPEAT SWAP DROP ;
: grow ( n seed -- ) 0 root ! 0 used-nodes ! SWAP 0 DO 1309 * 13849 + 65535 AND DUP insert LOOP DROP ;
: hits ( -- n ) 0 4000 0 DO I 16 * contains? IF 1+ THEN LOOP ;
: run ( n -- sum )
  0 SWAP 0 DO 1000 I 3 + grow 0 weight ! root @ add-in-order weight @ + root @ depth-of + hits + 16777215 AND LOOP ;
