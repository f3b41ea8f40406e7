\ Breakthrough: the first pawn on the far row wins.

\ Shows moves and captures by landing, symmetries, a set-up and an evaluation.

{board
	8 8 {grid}                      \ position 0 is a8, at the top left; 63 is h1
board}

{directions
	-1  0 {direction} ahead         \ rows are counted from the top: -1 is up
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

\ For Black, up is down: the same move words serve both players.
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
	{setup} White pawn a1 {setup} White pawn b1 {setup} White pawn c1 {setup} White pawn d1
	{setup} White pawn e1 {setup} White pawn f1 {setup} White pawn g1 {setup} White pawn h1
	{setup} White pawn a2 {setup} White pawn b2 {setup} White pawn c2 {setup} White pawn d2
	{setup} White pawn e2 {setup} White pawn f2 {setup} White pawn g2 {setup} White pawn h2
	{setup} Black pawn a7 {setup} Black pawn b7 {setup} Black pawn c7 {setup} Black pawn d7
	{setup} Black pawn e7 {setup} Black pawn f7 {setup} Black pawn g7 {setup} Black pawn h7
	{setup} Black pawn a8 {setup} Black pawn b8 {setup} Black pawn c8 {setup} Black pawn d8
	{setup} Black pawn e8 {setup} Black pawn f8 {setup} Black pawn g8 {setup} Black pawn h8
board-setup}

: reached? ( player pos -- ? )          \ has the player a pawn in the row that begins there?
	FALSE SWAP
	DUP 8 + SWAP DO OVER I player-at = OR LOOP
	SWAP DROP
;

\ A pawn on the far row got there by the move just made, so the player to move has lost.
\ So has one without moves: he has no pawns, for a pawn ahead of the far row can always move.
: OnIsGameOver ( -- result )
	#UnknownScore
	White a8 reached? Black a1 reached? OR stalemate? OR
	IF DROP #LossScore ENDIF
;

: rows-gone ( pos -- n )                \ rows a pawn there has come from its own edge
	DUP 8 / SWAP player-at White = IF 7 SWAP - ENDIF
;

\ A pawn is worth ten, and the further it has come the more each further row.
: pawn-worth ( pos -- n ) rows-gone DUP * 10 + ;

: OnEvaluate ( -- score )
	0
	64 0 DO
		I not-empty-at?
		IF I pawn-worth I friend-at? NOT IF NEGATE ENDIF + ENDIF
	LOOP
;
