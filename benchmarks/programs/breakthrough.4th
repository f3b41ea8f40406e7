\ breakthrough.4th: Breakthrough 8 x 8 on a board of bytes: perft, alpha-beta by material, random playouts.
\ The text runs unchanged in forthvm and gforth; breakthrough.c implements the same algorithms in C.

\ Squares 0 (a8) to 63 (h1) contain 0 (empty), 1 (White, moves upwards and first) or 2 (Black).
CREATE board 64 ALLOT
CREATE men 3 CELLS ALLOT
CREATE list 4096 ALLOT                  \ moves of all plies: from, to, captured piece; a byte each
VARIABLE top                            \ end of the list
VARIABLE side                           \ the player to move
VARIABLE ahead                          \ -8 or 8: from a square to the next one forward for this player
VARIABLE nodes                          \ positions that negamax has visited
VARIABLE plies                          \ moves made in playouts
VARIABLE seed

: enemy ( -- player ) 3 side @ - ;
: men-of ( player -- addr ) CELLS men + ;
: set-up ( -- )
  board 64 0 FILL board 16 2 FILL board 48 + 16 1 FILL
  16 1 men-of ! 16 2 men-of ! 1 side ! -8 ahead ! list top ! ;

: add-to-list ( from to -- ) DUP board + C@ top @ 2 + C! top @ 1 + C! top @ C! 3 top +! ;
: straight ( from to -- ) DUP board + C@ IF 2DROP ELSE add-to-list ENDIF ;
: diagonal ( from to -- ) DUP board + C@ side @ = IF 2DROP ELSE add-to-list ENDIF ;
: pawn-moves ( from -- )
  DUP ahead @ + DUP 0 < OVER 63 > OR IF 2DROP EXIT ENDIF
  2DUP straight
  OVER 7 AND IF 2DUP 1 - diagonal ENDIF
  OVER 7 AND 7 < IF 2DUP 1 + diagonal ENDIF
  2DROP ;
: generate ( -- ) 64 0 DO I board + C@ side @ = IF I pawn-moves ENDIF LOOP ;

: make ( move -- )
  0 OVER C@ board + C!
  side @ OVER 1 + C@ board + C!
  2 + C@ IF -1 enemy men-of +! ENDIF ;
: unmake ( move -- )
  side @ OVER C@ board + C!
  DUP 2 + C@ OVER 1 + C@ board + C!
  2 + C@ IF 1 enemy men-of +! ENDIF ;
: won? ( move -- ? )                    \ whether the move, just made, wins
  1 + C@ side @ 1 = IF 8 < ELSE 55 > ENDIF
  enemy men-of @ 0 = OR ;
: turn ( -- ) enemy side ! 0 ahead @ - ahead ! ;

: perft ( depth -- leaves )             \ a win ends a sequence, which is not counted
  top @ SWAP generate                   ( start depth )
  DUP 1 = IF DROP top @ OVER - 3 / SWAP top ! EXIT ENDIF
  0 2 PICK                              ( start depth leaves move )
  BEGIN DUP top @ < WHILE
    DUP make
    DUP won? 0 = IF
      turn 2 PICK 1 - RECURSE turn      ( start depth leaves move n )
      ROT + SWAP
    ENDIF
    DUP unmake 3 +
  REPEAT
  DROP SWAP DROP SWAP top ! ;
: run-perft ( depth -- leaves ) set-up perft ;

: negamax ( alpha beta depth -- value )
  1 nodes +!
  DUP 0 = IF DROP 2DROP side @ men-of @ enemy men-of @ - EXIT ENDIF
  top @ DUP >R SWAP >R generate         ( alpha beta move ) ( R: start depth )
  BEGIN DUP top @ < WHILE
    DUP make
    DUP won? IF
      1 nodes +! 100000 R@ +            \ earlier wins have higher values
    ELSE
      turn OVER NEGATE 3 PICK NEGATE R@ 1 - RECURSE NEGATE turn
    ENDIF
    OVER unmake                         ( alpha beta move value )
    DUP 4 PICK > IF
      >R ROT DROP R> ROT ROT            \ a better alpha
      2 PICK 2 PICK < 0 = IF 2DROP R> DROP R> top ! EXIT ENDIF
    ELSE
      DROP
    ENDIF
    3 +
  REPEAT
  2DROP R> DROP R> top ! ;
: run-score ( depth -- value ) set-up 0 nodes ! -1000000 1000000 ROT negamax ;
: run-negamax ( depth -- nodes ) run-score DROP nodes @ ;

: random ( n -- 0..n-1 )
  seed @ 1103515245 * 12345 + 2147483647 AND DUP seed ! 65536 / SWAP MOD ;
: playout ( -- winner )
  set-up
  BEGIN
    list top ! generate
    top @ list - 3 / random 3 * list +
    DUP make 1 plies +! won? 0 =
  WHILE turn REPEAT
  side @ ;
: run-playouts ( games -- wins )        \ wins of White
  1 seed ! 0 plies ! 0 SWAP 0 DO playout 1 = IF 1 + ENDIF LOOP ;
: run-plies ( games -- n ) run-playouts DROP plies @ ;
