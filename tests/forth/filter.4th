\ vm: axiom=150 base=loaded/world.4th
\ OnMovesGenerated and $RemoveMove.
\ Every test runs the hook whose token is in `filter`.
\ All definitions are before the tests: releasing a list of moves also removes later definitions.
DEFER filter
' m-idle IS filter
: OnMovesGenerated ( -- ) filter ;
: three b1 capture-at add-move c1 capture-at add-move b2 capture-at add-move ;
: nth ( n -- move ) $FirstMove SWAP BEGIN DUP WHILE SWAP $NextMove SWAP 1- REPEAT DROP ;
: counts move-count . ;
: removes-first $FirstMove $RemoveMove ;
: removes-second 1 nth $RemoveMove ;
: removes-last 2 nth $RemoveMove ;
: removes-all $FirstMove BEGIN DUP WHILE DUP $RemoveMove $NextMove REPEAT DROP ;
: removes-twice $FirstMove DUP $RemoveMove $RemoveMove ;
: removes-other 2048 $RemoveMove ;
: frees $DeallocateMoves ;
: exits removes-first $Exit ;
: changes c1 to b1 home 5 $piece ! $CloneBoard B FALSE 0 $GenerateMoves ;
: filtered ( 'hook -- ) IS filter ['] three moves-of ;
: with-pass $Pass b1 capture-at add-move ;
VARIABLE inner
: makes-list removes-first A FALSE 0 $GenerateMoves move-count inner ! removes-first move-count . $DeallocateMoves ;
: leaves-a1? ( move -- ? ) $CloneBoard .moveCFA EXECUTE a1 empty-at? $DeallocateBoard ;
: keeps-a1 $FirstMove BEGIN DUP WHILE DUP leaves-a1? IF DUP $RemoveMove ENDIF $NextMove REPEAT DROP ;
: two from b1 move add-move b2 capture-at add-move ;

T{ fresh ' m-idle filtered -> }T                        \ expect: "x b1 | x c1 | x b2 | "
T{ fresh ' counts filtered -> }T                        \ expect: "3 x b1 | x c1 | x b2 | "
T{ fresh ' removes-first filtered -> }T                 \ expect: "x c1 | x b2 | "
T{ fresh ' removes-second filtered -> }T                \ expect: "x b1 | x b2 | "
T{ fresh ' removes-last filtered -> }T                  \ expect: "x b1 | x c1 | "
T{ fresh ' exits filtered -> }T                         \ expect: "x c1 | x b2 | "
T{ fresh ' removes-all IS filter ' three gen move-count $FirstMove stalemate? -> 0 0 -1 }T
T{ clear-list 1 2 ' changes filtered from here $piece @ current-player -> 1 2 9 9 2051 2048 }T \ expect: "x b1 | x c1 | x b2 | "
T{ fresh ' removes-twice IS filter ' three gen -> }T    \ expect error: ContextError not a move of the newest list
T{ fresh ' removes-other IS filter ' three gen -> }T    \ expect error: ContextError not a move of the newest list
T{ fresh ' frees IS filter ' three gen -> }T            \ expect error: ContextError freed
T{ fresh ' m-idle IS filter ' three gen $FirstMove $RemoveMove -> }T \ expect error: ContextError outside OnMovesGenerated
T{ fresh ' removes-all IS filter ' removes-other gen -> }T  \ expect error: ContextError outside OnMovesGenerated

\ A forced pass is added after the hook, and priorities are applied after it.
T{ fresh $passTurnForced ON ' removes-all filtered -> }T \ expect: "Pass | "
T{ $passed @ -> -1 }T
T{ fresh ' removes-first filtered $passTurnForced OFF -> }T \ expect: "x c1 | x b2 | "
T{ fresh ' removes-first IS filter ' with-pass moves-of -> }T \ expect: "x b1 | "

\ Lists made inside the hook, and lists of all enemies of a player, are not filtered.
T{ fresh ' makes-list filtered inner @ -> 3 }T          \ expect: "2 x c1 | x b2 | "
T{ fresh ' removes-first IS filter ' three IS m1 B TRUE 0 $GenerateMoves texts clear-list -> }T \ expect: "x b1 | x c1 | x b2 | "

\ A move can be tried on a clone.
T{ fresh ' keeps-a1 IS filter ' two moves-of a1 piece-at b1 piece-at b2 piece-at -> 2049 0 7169 }T \ expect: "x b2 | "
