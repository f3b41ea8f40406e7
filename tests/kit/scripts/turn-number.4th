\ Two walkers; the value of OnEvaluate depends on the turn number.
{board 2 6 {grid} board}
{directions 0 -1 {direction} left 0 1 {direction} right directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
: nothing ( -- ) ;
: stay ( -- ) COMPILE nothing add-move ;
: go ( -- ) empty? verify from here move add-move ;
: step ( -- ) right verify go ;
: leap ( -- ) right verify right verify go ;
: back ( -- ) left verify go ;
{moves walks {move} leap {move} step {move} stay {move} back moves}
{pieces {piece} walker {moves} walks pieces}
{board-setup {setup} White walker a2 {setup} Black walker b1 board-setup}
: column-of ( player -- n ) 0 12 0 DO I player-at 2 PICK = IF DROP I 6 MOD ENDIF LOOP SWAP DROP ;
: OnEvaluate ( -- score )
	current-player column-of DUP * next-player column-of DUP * - 10 *
	turn-number 5 MOD 13 * current-player Black = IF NEGATE ENDIF +
;
