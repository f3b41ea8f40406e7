\ The start and the length of the longest Collatz sequence that begins below n.
VARIABLE longest
VARIABLE best
: even? ( n -- flag ) 1 AND 0= ;
: next-term ( n -- n' ) DUP even? IF 2/ ELSE 3 * 1+ THEN ;
: sequence-length ( n -- length ) 1 SWAP BEGIN DUP 1 <> WHILE next-term SWAP 1+ SWAP REPEAT DROP ;
: consider ( n -- ) DUP sequence-length DUP longest @ > IF longest ! best ! ELSE DROP DROP THEN ;
: run ( n -- best ) 0 longest ! 1 DO I consider LOOP best @ 1000 * longest @ + ;
