\ A race with dice: the player that leaves column h first has won.
{board
	2 9 {grid}
	{position} die
board}
{directions
	0 1 {direction} e
directions}
{players
	{player} White
	{player} Black
	{player} ?Dice {random}
players}
{turn-order
	{turn} White
	{turn} ?Dice
	{turn} Black
	{turn} ?Dice
turn-order}
: steps ( -- n ) die empty-at? IF 1 ELSE die piece-type-at 1- ENDIF ;
: go ( -- )
	here die <> verify
	steps BEGIN DUP 0> WHILE e verify 1- REPEAT DROP
	empty? verify from here move add-move
;
: roll ( -- ) current-player ?Dice = verify here die = verify drop add-move ;
{moves go-moves
	{move} go
moves}
{moves roll-moves
	{move} roll
moves}
{pieces
	{piece} Pawn {moves} go-moves
	{piece} One {drops} roll-moves
	{piece} Two {drops} roll-moves
pieces}
{board-setup
	{setup} White Pawn a2
	{setup} Black Pawn a1
board-setup}
: OnIsGameOver ( -- score )
	#UnknownScore
	i2 not-empty-at? IF DROP current-player White = IF #WinScore ELSE #LossScore ENDIF ENDIF
	i1 not-empty-at? IF DROP current-player Black = IF #WinScore ELSE #LossScore ENDIF ENDIF
;
