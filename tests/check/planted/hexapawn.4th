\ Hexapawn: three pawns a side on nine squares. Planted: OnIsGameOver is missing, which would implement this rule:
\ A player wins with a pawn on the far row, or if the opponent cannot move.

{board
	3 3 {grid}
board}

{directions
	-1  0 {direction} n
	-1  1 {direction} ne
	-1 -1 {direction} nw
	 1  0 {direction} s
	 1  1 {direction} se
	 1 -1 {direction} sw
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
	Black {symmetry} n s
	Black {symmetry} ne se
	Black {symmetry} nw sw
symmetries}

: go-there ( -- ) from here move add-move ;
: push ( -- ) n verify empty? verify go-there ;
: take-ne ( -- ) ne verify enemy? verify go-there ;
: take-nw ( -- ) nw verify enemy? verify go-there ;

{moves pawn-moves
	{move} push
	{move} take-ne
	{move} take-nw
moves}

{pieces
	{piece} Pawn {moves} pawn-moves
pieces}

{board-setup
	{setup} White Pawn a1
	{setup} White Pawn b1
	{setup} White Pawn c1
	{setup} Black Pawn a3
	{setup} Black Pawn b3
	{setup} Black Pawn c3
board-setup}

: OnEvaluate ( -- score ) current-player material-balance ;
