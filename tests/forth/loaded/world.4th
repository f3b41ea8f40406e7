\ A small game for the tests of game words: a 3x3 grid, a position `flag`, board variables, two
\ players and a neutral player.
\ Positions: a3 0, b3 1, c3 2, a2 3, b2 4, c2 5, a1 6, b1 7, c1 8, flag 9.
\ A board cell is the sum of player (A 2048, B 4096, N 7168) and piece type (P 1, Q 2, T 3).
{board
	3 3 {grid}
	{position} flag
	{variable} counter
	4 {array} pots[]
	3 {carray} bits[]
board}
{directions
	-1  0 {direction} n
	 1  0 {direction} s
	 0  1 {direction} e
	 0 -1 {direction} w
directions}
{players
	{player} A
	{player} B
	{neutral} N
players}
{turn-order
	{turn} A
	{turn} B
turn-order}
DEFER m1
: m-idle ;
' m-idle IS m1
DEFER d1
' m-idle IS d1
{moves p-moves {move} m1 moves}
{moves p-drops {move} d1 moves}
{pieces
	{piece} P {moves} p-moves 3 {value}
	{piece} Q 5 {value}
	{piece} T {drops} p-drops
pieces}
{board-setup
	{setup} A P a1
	{setup} B Q c3
	{setup} N P b2
board-setup}
: clear-list ( -- )  \ Release all lists of moves.
	BEGIN $movesList @ WHILE $DeallocateMoves REPEAT ;
: place ( player type pos -- ) OnEditAdd ;
: fresh ( -- )  \ Begin a new game without lists of moves.
	clear-list $NewGame A P a1 place B Q c3 place N P b2 place ;
: texts ( -- )  \ Print the texts of the newest list.
	move-count 0> IF
	$FirstMove BEGIN DUP $MoveString TYPE ."  | " $NextMove DUP NOT UNTIL DROP ENDIF ;
: gen ( 'x -- )  \ Generate the moves of A with 'x as the move word of P.
	IS m1 A FALSE 0 $GenerateMoves ;
: moves-of ( 'x -- )  \ Print the texts of these moves.
	gen texts clear-list ;
