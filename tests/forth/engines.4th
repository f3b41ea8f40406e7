\ vm: axiom=150 base=loaded/world.4th
\ Hooks, search words, repetition, ring buffers.  The comments of loaded/world.4th explain the numbers
\ of positions, board cells and players.  Turn offsets are in bytes: B's turn is at 12.
: up n verify empty? verify from here move add-move ;
fresh
T{ ' up gen OnIsGameOver clear-list -> #UnknownScore }T
T{ fresh ' m-idle gen OnIsGameOver clear-list -> #DrawScore }T
T{ OnEvaluate -> 0 }T
T{ OnIsTerminal? -> -1 }T
T{ OnNewGame -> }T
T{ fresh B T c1 OnEditAdd c1 piece-at c1 OnEditRemove c1 piece-at -> 4099 0 }T
T{ fresh A Q a1 OnEditAdd a1 piece-at fresh -> 2050 }T
T{ fresh 0 $SetTurn OnNextTurn current-player turn-offset -> 4096 12 }T
T{ OnNextTurn current-player turn-offset -> 2048 0 }T
T{ 12 $turnOffset ! $partial ON 5 counter ! $NewGame $turnOffset @ $partial @ counter @ a1 piece-at -> 0 0 0 0 }T
T{ fresh 0 $SetTurn A $EngineSetTurn current-player -> 2048 }T
: clear-evals $evals @ player-count CELLS -1 FILL $ClearEvals $evals @ @ $evals @ 4 + @ $evals @ 8 + @ ;
T{ clear-evals -> 0 0 0 }T
T{ searching? -> 0 }T
T{ $Yield -> }T
T{ $depthLimit @ DROP $searchTime @ DROP $variety @ DROP $iterationDepth @ DROP $ply @ DROP $rootMoveCount @ DROP $rootMoveIndex @ DROP -> }T
T{ $timeCheckFrequency @ -> 100 }T
T{ $searchTimer START-TIMER $searchTimer READ-TIMER 0 >= -> -1 }T

T{ repetition-reset repetition-push-position repetition-push-position -> 1 2 }T
T{ repetition-pop-position repetition-push-position -> 2 }T
T{ A P b1 place repetition-push-position fresh repetition-push-position -> 1 3 }T
T{ repetition-reset repetition-push-position -> 1 }T
T{ repetition-reset -> }T

T{ ringbuffer-reset ringbuffer-empty? 5 ringbuffer-add-item ringbuffer-empty? -> -1 0 }T
T{ 6 ringbuffer-add-item ringbuffer-remove-item ringbuffer-remove-item ringbuffer-empty? -> 5 6 -1 }T
T{ 1 ringbuffer-add-item 2 ringbuffer-add-item ringbuffer-dump ringbuffer-empty? -> -1 }T \ expect: "\n1 2 "
T{ ringbuffer2-reset ringbuffer2-empty? 7 ringbuffer2-add-item ringbuffer2-empty? ringbuffer-empty? -> -1 0 -1 }T
T{ 8 ringbuffer2-add-item ringbuffer2-remove-item ringbuffer2-remove-item -> 7 8 }T
T{ 1 ringbuffer2-add-item ringbuffer2-dump ringbuffer2-empty? -> -1 }T \ expect: "\n1 "
\ A queue has 4,096 cells: item 4,097 is stored in the first cell, so that only this item remains.
: wrap-around ringbuffer-reset 4097 0 DO I ringbuffer-add-item LOOP ;
T{ wrap-around ringbuffer-remove-item -> 4096 }T
T{ ringbuffer-reset ringbuffer-empty? -> -1 }T

\ SearchStatus@ reads the status of a search; outside of a search it fails.
T{ SearchStatus@ -> }T                              \ expect error: ContextError

\ Text words work only during generation.
T{ S" x" ^string -> }T                              \ expect error: ContextError
T{ a1 ^position -> }T                               \ expect error: ContextError

T{ HERE 7 1 $CommaCells DUP @ SWAP HERE SWAP - -> 7 4 }T
T{ HERE 9 3 $CommaCells DUP 8 + @ SWAP HERE SWAP - -> 9 12 }T
T{ HERE 9 0 $CommaCells HERE SWAP - -> 4 }T
CREATE two-cells 0 , 0 ,
T{ two-cells 5 $addr, two-cells - two-cells @ -> 4 5 }T
T{ two-cells two-cells 12 + $CellCount -> 2 }T
: name-it S" made-constant" ;
T{ 77 name-it $MakeConstant -> }T
T{ made-constant -> 77 }T
T{ $CheckBoard -> }T                                \ expect error: ScriptMessage
