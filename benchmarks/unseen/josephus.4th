\ The Josephus problem with a ring of linked cells: the last person left in a circle of n.
4096 CONSTANT most-people
CREATE next-person most-people CELLS ALLOT
: next-of ( person -- addr ) CELLS next-person + ;
: make-ring ( n -- ) DUP 0 DO I 1+ OVER MOD I next-of ! LOOP DROP ;
: before-victim ( person skip -- person' ) 0 DO next-of @ LOOP ;
: remove-next ( person -- ) next-of DUP @ next-of @ SWAP ! ;
: last-one ( n skip -- person )
  OVER make-ring >R 1- BEGIN DUP next-of @ OVER <> WHILE R@ before-victim DUP remove-next REPEAT R> DROP ;
: run ( n -- sum ) 0 SWAP 20 2 DO DUP I last-one ROT + SWAP LOOP DROP ;
