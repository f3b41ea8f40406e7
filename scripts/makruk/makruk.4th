\ Makruk: chess of Thailand; checkmate wins, before the count of moves ends.

\ The parts, in the order in which they are loaded and can be read:
\   this file       board, pieces, set-up
\   counting.4th    moves are counted when no pawns are left
\   moves.4th       moves
\   ending.4th      mate, draws
\   evaluation.4th  the worth of positions
{board
	8 8 {grid}                      \ a8 is 0, h1 is 63
	{variable} count                \ plies counted, see counting.4th
	{variable} limit                \ the last ply of the count; 0: nothing is counted
board}

{directions
	-1  0 {direction} n     1  0 {direction} s     0  1 {direction} e     0 -1 {direction} w
	-1  1 {direction} ne    1 -1 {direction} sw   -1 -1 {direction} nw    1  1 {direction} se
	-2  1 {direction} nne   2 -1 {direction} ssw  -2 -1 {direction} nnw   2  1 {direction} sse
	-1  2 {direction} ene   1 -2 {direction} wsw  -1 -2 {direction} wnw   1  2 {direction} ese
directions}

{players
	{player} White
	{player} Black
players}

{turn-order
	{turn} White
	{turn} Black
turn-order}

LOAD attacks.4th
' n ' s line-ways       ' e ' w line-ways       ' ne ' sw leap-ways     ' nw ' se leap-ways
' nne ' ssw leap-ways   ' nnw ' sse leap-ways   ' ene ' wsw leap-ways   ' wnw ' ese leap-ways

\ moves.4th defines the move words.
DEFER board-moves
DEFER pawn-step
{moves by-table   {move} board-moves moves}
{moves pawn-moves {move} pawn-step {move} board-moves moves}

{pieces
	{piece} king   {moves} by-table     0 {value}
	{piece} rook   {moves} by-table   500 {value}
	{piece} knight {moves} by-table   300 {value}
	{piece} khon   {moves} by-table   250 {value}   \ nobleman
	{piece} met    {moves} by-table   150 {value}   \ counsellor; also a promoted pawn
	{piece} pawn   {moves} pawn-moves 100 {value}
pieces}
' king IS royal

\ Steps and slides; one bit for each way, from the right in the order above.
BINARY
11111111         0    king   reaches
0                1111 rook   reaches
1111111100000000 0    knight reaches
11110001         0    khon   reaches
11110000         0    met    reaches
1010000          0    pawn   reaches            \ only captures
DECIMAL

LOAD counting.4th
LOAD moves.4th
LOAD ending.4th
LOAD evaluation.4th

\ Each king is to the left of the met, seen from its player.
{board-setup
	{setup} White rook a1 {setup} White knight b1 {setup} White khon c1 {setup} White king   d1
	{setup} White met  e1 {setup} White khon   f1 {setup} White knight g1 {setup} White rook h1
	{setup} White pawn a3 {setup} White pawn   b3 {setup} White pawn c3 {setup} White pawn   d3
	{setup} White pawn e3 {setup} White pawn   f3 {setup} White pawn g3 {setup} White pawn   h3
	{setup} Black pawn a6 {setup} Black pawn   b6 {setup} Black pawn c6 {setup} Black pawn   d6
	{setup} Black pawn e6 {setup} Black pawn   f6 {setup} Black pawn g6 {setup} Black pawn   h6
	{setup} Black rook a8 {setup} Black knight b8 {setup} Black khon c8 {setup} Black met    d8
	{setup} Black king e8 {setup} Black khon   f8 {setup} Black knight g8 {setup} Black rook h8
board-setup}
