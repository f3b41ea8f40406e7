\ Nim: take one to three stones; the player who takes the last stone wins. Planted: the loop in `surplus` never ends.
{board
	{position} heap
	{variable} stones
board}
{players {player} First {player} Second players}
{turn-order {turn} First {turn} Second turn-order}

: less1 ( -- ) stones -- ;
: less2 ( -- ) less1 less1 ;
: less3 ( -- ) less2 less1 ;
: take-1 ( -- ) COMPILE less1 ^" takes 1" add-move ;
: take-2 ( -- ) stones @ 1 > verify COMPILE less2 ^" takes 2" add-move ;
: take-3 ( -- ) stones @ 2 > verify COMPILE less3 ^" takes 3" add-move ;
{moves takes {move} take-1 {move} take-2 {move} take-3 moves}
{pieces {piece} hand {moves} takes {piece} other {moves} takes pieces}
{board-setup {setup} First hand heap board-setup}

: OnNewGame ( -- ) 21 stones ! ;

\ the number of stones above a multiple of four
: surplus ( n -- n' )
	BEGIN
		4 -
		FALSE
	UNTIL
	4 MOD
;
: OnEvaluate ( -- score ) stones @ surplus ;
: OnIsGameOver ( -- result ) stones @ 0> IF #UnknownScore ELSE #LossScore ENDIF ;
