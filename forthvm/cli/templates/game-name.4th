\ GAME_TITLE: a race of pawns that capture diagonally.

\ This is a small, complete game.  Change it step by step into your own, and run its tests after each step.
\ The text after a backslash is a comment; text in ( -- ) states what a word takes from the stack and leaves there.
\ A game consists of sections in braces and of words (: name ... ;).  Each must stand above the place that uses it.

{board
	5 5 {grid}                      \ five rows and five columns: a5 is at the top left, e1 at the bottom right
board}

{directions
	-1  0 {direction} n             \ rows, then columns: one row up
	-1 -1 {direction} nw
	-1  1 {direction} ne
	 1  0 {direction} s
	 1 -1 {direction} sw
	 1  1 {direction} se
directions}

{players
	{player} White
	{player} Black
players}

{turn-order
	{turn} White
	{turn} Black
turn-order}

{symmetries                             \ Black moves down the board where White moves up
	Black {symmetry} n s
	Black {symmetry} nw sw
	Black {symmetry} ne se
symmetries}

\ A move word makes one move of a piece.  It begins at the piece's square, which is then `here` and `from`.
\ A direction goes to the next square and leaves a flag, which is false at the edge of the board.
\ `verify` takes a flag; if the flag is false, there is no such move.

: go ( -- ) from here move add-move ;

: step ( -- )                           \ one square ahead, to an empty square
	n verify
	empty? verify
	go
;

: take ( 'dir -- )                      \ one square in a direction, to a piece of the opponent, which is captured
	EXECUTE verify
	enemy? verify
	go
;

: take-left ( -- ) ['] nw take ;
: take-right ( -- ) ['] ne take ;

{moves pawn-moves
	{move} step
	{move} take-left
	{move} take-right
moves}

{pieces
	{piece} pawn {moves} pawn-moves
pieces}

{board-setup
	{setup} White pawn a1 {setup} White pawn b1 {setup} White pawn c1 {setup} White pawn d1 {setup} White pawn e1
	{setup} Black pawn a5 {setup} Black pawn b5 {setup} Black pawn c5 {setup} Black pawn d5 {setup} Black pawn e5
board-setup}

\ The end of the game: a pawn reached the far row, or the player to move has no move.

: pawn-in-row? ( player pos -- ? )      \ does the player have a pawn in the row that begins at pos?
	FALSE SWAP
	DUP 5 + SWAP DO OVER I player-at = OR LOOP
	SWAP DROP
;

\ The result is for the player about to move; #UnknownScore means that the game continues.  Other results are
\ #WinScore, #LossScore and #DrawScore.
: OnIsGameOver ( -- result )
	#UnknownScore
	White a5 pawn-in-row? Black a1 pawn-in-row? OR      \ the other player has just arrived there
	stalemate? OR
	IF DROP #LossScore ENDIF
;

\ How good the position is for the player about to move.  Engines that search use it: more pawns are better.
: OnEvaluate ( -- score )
	0
	e1 1+ a5 DO
		I player-at current-player = IF 1+ ENDIF
		I player-at next-player = IF 1- ENDIF
	LOOP
;
