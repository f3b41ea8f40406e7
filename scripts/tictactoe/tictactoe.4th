\ Tic-tac-toe: three in a row on a board of three by three.

\ Start here to learn the dialect: a complete game on one page.  A game is defined by sections in
\ braces and by colon definitions, each before the section that uses it.

{board
	3 3 {grid}                      \ defines the positions a1 to c3, words that return their numbers
board}

{players
	{player} X
	{player} O
players}

{turn-order
	{turn} X
	{turn} O
turn-order}

\ A drop word is run once for every position, with that position as `here`.
\ `verify` ends the move word if the flag is FALSE.
: put ( -- ) empty? verify drop add-move ;

{moves put-moves
	{move} put
moves}

{pieces
	{piece} mark {drops} put-moves
pieces}

\ The eight lines, three positions each: a table made by hand with CREATE and the comma.
CREATE lines
	a1 , a2 , a3 ,   b1 , b2 , b3 ,   c1 , c2 , c3 ,
	a1 , b1 , c1 ,   a2 , b2 , c2 ,   a3 , b3 , c3 ,
	a1 , b2 , c3 ,   a3 , b2 , c1 ,

: square-of ( line i -- pos ) SWAP 3 * + CELLS lines + @ ;

: marks-in-line ( line player -- n )    \ number of the player's marks in the line
	0
	3 0 DO
		2 PICK I square-of player-at 2 PICK = IF 1+ ENDIF
	LOOP
	SWAP DROP SWAP DROP
;

: won? ( player -- ? )
	FALSE
	8 0 DO I 2 PICK marks-in-line 3 = OR LOOP
	SWAP DROP
;

\ Called for the player to move, so only the other player can have won.  The words after ^" say why the game has ended.
: OnIsGameOver ( -- result )
	#UnknownScore
	next-player won?
	IF DROP ^" three in a row" #LossScore ELSE stalemate? IF DROP ^" the board is full" #DrawScore ENDIF ENDIF
;

\ Each move word depends only on the board and the turn.  OnIsGameOver and OnEvaluate ask at most whether there are moves,
\ and leave the board as it is.  The host reads these constants; the original ignores them.
TRUE CONSTANT independent-moves
TRUE CONSTANT hooks-keep-moves

\ A line with marks of both players is worth 0, another line the square of the number of its marks.
: line-worth ( line -- n )
	DUP current-player marks-in-line SWAP next-player marks-in-line
	2DUP 0<> SWAP 0<> AND
	IF 2DROP 0 ELSE - DUP ABS * ENDIF
;

: OnEvaluate ( -- score ) 0 8 0 DO I line-worth + LOOP ;
