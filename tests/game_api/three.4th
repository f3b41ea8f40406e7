\ Three players take matches from a heap of four; a player that finds no match has lost.
{board
	1 4 {grid}
	{variable} verdict
board}
{players
	{player} Ann
	{player} Bob
	{player} Cy
	{neutral} Heap
players}
{turn-order
	{turn} Ann {for-player} Heap
	{turn} Bob {for-player} Heap
	{turn} Cy {for-player} Heap
turn-order}
: judge ( code -- ) verdict ! ;
: take ( -- ) from capture-at add-move ;
: give-up ( -- )  \ Take a match and end the game: the next player, who is then to move, has won.
	from capture-at #WinScore COMPILE-LITERAL COMPILE judge add-move
;
{moves match-moves
	{move} take
	{move} give-up
moves}
{pieces
	{piece} Match {moves} match-moves
pieces}
{board-setup
	{setup} Heap Match a1 {setup} Heap Match b1 {setup} Heap Match c1 {setup} Heap Match d1
board-setup}
: OnIsGameOver ( -- score )
	verdict @ DUP 0= IF DROP stalemate? IF #LossScore ELSE #UnknownScore ENDIF ENDIF
;
