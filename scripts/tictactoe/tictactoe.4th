\ Tic-tac-toe: three in a row on a board of three by three.

\ Start here to learn the dialect: a whole game in a page.  A game is defined by sections in
\ braces; colon definitions stand between them, each before the section that names it.

{board
	3 3 {grid}                      \ makes the positions a1 ... c3, each a word that leaves its number
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
\ `verify` gives up the move when the flag is FALSE.
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

: held ( line player -- n )             \ squares of the line that the player holds
	0
	3 0 DO
		2 PICK I square-of player-at 2 PICK = IF 1+ ENDIF
	LOOP
	SWAP DROP SWAP DROP
;

: won? ( player -- ? )
	FALSE
	8 0 DO I 2 PICK held 3 = OR LOOP
	SWAP DROP
;

\ Asked for the player about to move: so the one who may have won is the other.
: OnIsGameOver ( -- result )
	#UnknownScore
	next-player won?
	IF DROP #LossScore ELSE stalemate? IF DROP #DrawScore ENDIF ENDIF
;

\ A line that both have entered is worth nothing; else the square of the marks in it.
: line-worth ( line -- n )
	DUP current-player held SWAP next-player held
	2DUP 0<> SWAP 0<> AND
	IF 2DROP 0 ELSE - DUP ABS * ENDIF
;

: OnEvaluate ( -- score ) 0 8 0 DO I line-worth + LOOP ;
