\ Directions, players, turns and ways.

$columns @ CONSTANT #files
$rows @ CONSTANT #ranks
#files #ranks * CONSTANT #squares

{directions
	-1  0 {direction} n    -1  1 {direction} ne    0  1 {direction} e    1  1 {direction} se
	 1  0 {direction} s     1 -1 {direction} sw    0 -1 {direction} w   -1 -1 {direction} nw
	-2  1 {direction} nne  -2 -1 {direction} nnw   2  1 {direction} sse  2 -1 {direction} ssw
directions}

{players
	{player} Black                  \ moves first, up the board
	{player} White
players}

{turn-order
	{turn} Black
	{turn} White
turn-order}

LOAD attacks.4th
' n ' s line-ways   ' e ' w line-ways   ' ne ' sw line-ways   ' nw ' se line-ways
' nne ' ssw leap-ways   ' nnw ' sse leap-ways

\ Sets of ways, one bit each; from the right: n s, e w, ne sw, nw se, nne ssw, nnw sse.
BINARY
000000000001 CONSTANT #ahead
000000001111 CONSTANT #straight
000011110000 CONSTANT #diagonal
000011111111 CONSTANT #all-round
000001011111 CONSTANT #as-gold          \ straight, and diagonally ahead
000011110001 CONSTANT #as-silver        \ diagonal, and ahead
010100000000 CONSTANT #as-knight
DECIMAL

\ moves.4th defines the move words.
DEFER board-moves
DEFER drop-moves
{moves on-board {move} board-moves moves}
{moves in-hand  {move} drop-moves moves}
