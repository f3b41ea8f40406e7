\ Directions, players, turns, and constants for the piece types.

$columns @ CONSTANT #files
$rows @ CONSTANT #ranks
#files #ranks * CONSTANT #squares

{directions
	-1  0 {direction} n    -1  1 {direction} ne    0  1 {direction} e    1  1 {direction} se
	 1  0 {direction} s     1 -1 {direction} sw    0 -1 {direction} w   -1 -1 {direction} nw

	-2  1 {direction} nne  -1  2 {direction} ene   1  2 {direction} ese   2  1 {direction} sse
	 2 -1 {direction} ssw   1 -2 {direction} wsw  -1 -2 {direction} wnw  -2 -1 {direction} nnw

	\ Directions for pawns, from White's view.
	-1  0 {direction} ahead   -1 -1 {direction} ahead-left   -1  1 {direction} ahead-right
	 1  0 {direction} behind   1 -1 {direction} behind-left   1  1 {direction} behind-right
directions}

{players
	{player} White
	{player} Black
players}

{turn-order
	{turn} White
	{turn} Black
turn-order}

{symmetries
	Black {symmetry} ahead behind
	Black {symmetry} ahead-left behind-left
	Black {symmetry} ahead-right behind-right
symmetries}

\ The piece types as numbers, in the order in which {pieces names them.
1 CONSTANT PAWN
2 CONSTANT KNIGHT
3 CONSTANT BISHOP
4 CONSTANT ROOK
5 CONSTANT QUEEN
6 CONSTANT KING
7 CONSTANT MARK                         \ not a chess piece: see the board in chess.4th

: other ( player -- player' ) [ White Black XOR ] LITERAL XOR ;
: file-of ( pos -- n ) #files MOD ;
: rank-of ( pos -- n ) #files / ;       \ 0 is the top row
