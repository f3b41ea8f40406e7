\ Two walkers.  Legal moves and OnEvaluate depend on variables outside the board, which change in every turn.
{board 2 6 {grid} board}
{directions 0 -1 {direction} left 0 1 {direction} right directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
VARIABLE steps-right                    \ steps to the right minus steps to the left; moves change it
VARIABLE turns-modulo-3                 \ OnNextTurn changes it
: add-steps ( n -- ) steps-right +! ;
: compile-add-steps ( n -- ) COMPILE-LITERAL COMPILE add-steps ;  \ as a part of the move
: walk ( 'dir n -- ) SWAP EXECUTE verify empty? verify from here move compile-add-steps add-move ;
: walk-left ( -- ) ['] left -1 walk ;
: walk-right ( -- ) steps-right @ 4 < verify ['] right 1 walk ;
: leap-right ( -- ) steps-right @ 0> verify right verify ['] right 2 walk ;
{moves walks {move} walk-left {move} walk-right {move} leap-right moves}
{pieces {piece} walker {moves} walks pieces}
{board-setup {setup} White walker b2 {setup} Black walker c1 board-setup}
: library-OnNextTurn OnNextTurn ;
: OnNextTurn ( -- ) library-OnNextTurn turns-modulo-3 @ 1+ 3 MOD turns-modulo-3 ! ;
: column-of ( player -- n ) 0 12 0 DO I player-at 2 PICK = IF DROP I 6 MOD ENDIF LOOP SWAP DROP ;
: OnEvaluate ( -- score )
	current-player column-of next-player column-of - 10 *
	steps-right @ 7 * turns-modulo-3 @ + current-player Black = IF NEGATE ENDIF +
;
