\ Two walkers.  Moves change variables outside the board, on which legal moves and OnEvaluate depend.
{board 2 6 {grid} board}
{directions 0 -1 {direction} left 0 1 {direction} right directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
VARIABLE outside-count
VARIABLE outside-side
: add ( n -- ) outside-count +! ;
: then-add ( n -- ) COMPILE-LITERAL COMPILE add ;
: walk ( 'dir n -- ) SWAP EXECUTE verify empty? verify from here move then-add add-move ;
: walk-left ( -- ) ['] left -1 walk ;
: walk-right ( -- ) outside-count @ 4 < verify ['] right 1 walk ;
: twice ( -- ) outside-count @ 0> verify right verify ['] right 2 walk ;
{moves walks {move} walk-left {move} walk-right {move} twice moves}
{pieces {piece} walker {moves} walks pieces}
{board-setup {setup} White walker b2 {setup} Black walker c1 board-setup}
: pass-on OnNextTurn ;
: OnNextTurn ( -- ) pass-on outside-side @ 1+ 3 MOD outside-side ! ;
: column-of ( player -- n ) 0 12 0 DO I player-at 2 PICK = IF DROP I 6 MOD ENDIF LOOP SWAP DROP ;
: OnEvaluate ( -- score )
	current-player column-of next-player column-of - 10 *
	outside-count @ 7 * outside-side @ + current-player Black = IF NEGATE ENDIF +
;
