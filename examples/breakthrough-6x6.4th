\ Breakthrough on a board of six by six, with the rules of scripts/breakthrough: the small game that alphazero.py learns.

\ The positions of a board and the directions between them are made together, so a board of another size needs its own
\ sections.  There is no evaluation: a network learns it.

6 CONSTANT #size

{board
	#size #size {grid}              \ position 0 is a6, at the top left; 35 is f1
board}

{directions
	-1  0 {direction} ahead
	-1 -1 {direction} left
	-1  1 {direction} right
	 1  0 {direction} behind
	 1 -1 {direction} behind-left
	 1  1 {direction} behind-right
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
	Black {symmetry} left behind-left
	Black {symmetry} right behind-right
symmetries}

: go ( -- ) from here move add-move ;
: advance ( -- ) ahead verify empty? verify go ;
: slant ( 'dir -- ) EXECUTE verify friend? NOT verify go ;
: slant-left ( -- ) ['] left slant ;
: slant-right ( -- ) ['] right slant ;

{moves pawn-moves
	{move} advance
	{move} slant-left
	{move} slant-right
moves}

{pieces
	{piece} pawn {moves} pawn-moves
pieces}

{board-setup
	{setup} White pawn a1 {setup} White pawn b1 {setup} White pawn c1
	{setup} White pawn d1 {setup} White pawn e1 {setup} White pawn f1
	{setup} White pawn a2 {setup} White pawn b2 {setup} White pawn c2
	{setup} White pawn d2 {setup} White pawn e2 {setup} White pawn f2
	{setup} Black pawn a5 {setup} Black pawn b5 {setup} Black pawn c5
	{setup} Black pawn d5 {setup} Black pawn e5 {setup} Black pawn f5
	{setup} Black pawn a6 {setup} Black pawn b6 {setup} Black pawn c6
	{setup} Black pawn d6 {setup} Black pawn e6 {setup} Black pawn f6
board-setup}

: reached? ( player pos -- ? )          \ does the player have a pawn in the row that begins at pos?
	FALSE SWAP
	DUP #size + SWAP DO OVER I player-at = OR LOOP
	SWAP DROP
;

\ As in scripts/breakthrough: the player to move has lost if a pawn has just arrived, or if it has no pawns.
: OnIsGameOver ( -- result )
	#UnknownScore
	White a6 reached? Black a1 reached? OR stalemate? OR
	IF DROP #LossScore ENDIF
;
