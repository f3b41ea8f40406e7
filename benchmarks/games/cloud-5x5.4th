\ Cloud: stones that are on two squares at once, until a circle of them is measured.

\ Stands for games with states in the variables of the board: a move puts a ghost on two squares; when the squares of
\ a ghost were connected already, all connected ghosts become stones, by a word that is compiled into the move and
\ changes the board.  Lists have 300 moves at first; four stones in a row win.

{board
	5 5 {grid}
	{variable} ghosts               \ number of ghosts ever put
	30 {array} first[]              \ their squares, and 0 or 1 for the owner; -1 in first[]: it became a stone
	30 {array} second[]
	30 {array} owner[]
	25 {array} group[]              \ squares with the same number are connected
board}

{directions
	-1  1 {direction} ne
	 0  1 {direction} e
	 1  1 {direction} se
	 1  0 {direction} s
directions}

{players
	{player} Wave
	{player} Grain
players}

{turn-order
	{turn} Wave
	{turn} Grain
turn-order}

DEFER STONE

: owner-piece ( n -- piece ) IF Grain ELSE Wave ENDIF STONE OR ;
: taken? ( pos -- ? ) not-empty-at? ;
VARIABLE changed

: settle-on ( n pos -- )                \ ghost n becomes a stone on pos
	OVER owner[] @ owner-piece SWAP (add-piece)
	-1 SWAP first[] !
	TRUE changed !
;
: settle ( n -- )
	DUP first[] @ 0< IF
		DROP
	ELSE
		DUP first[] @ taken? IF
			DUP second[] @ settle-on
		ELSE
			DUP second[] @ taken? IF
				DUP first[] @ settle-on
			ELSE
				DROP
			ENDIF
		ENDIF
	ENDIF
;
: settle-all ( -- )
	BEGIN
		FALSE changed !
		0
		BEGIN
			DUP settle
			1+ DUP ghosts @ =
		UNTIL
		DROP
		changed @ NOT
	UNTIL
;
: join-groups ( from to -- )
	25 0 DO
		I group[] @ 2 PICK = IF DUP I group[] ! ENDIF
	LOOP
	2DROP
;
: entangle ( pos pos' -- )
	2DUP ghosts @ second[] ! ghosts @ first[] !
	current-player player-index ghosts @ owner[] !
	group[] @ SWAP group[] @               ( group' group )
	2DUP = IF
		2DROP
		ghosts @ ghosts @ first[] @ settle-on
		settle-all
	ELSE
		join-groups
	ENDIF
	ghosts ++
;

: pair ( -- )                           \ here and each later empty square
	empty? verify
	here 24 < verify
	here 1+
	BEGIN
		DUP empty-at? IF
			here create-at
			here capture-at                 \ for the text of the move
			DUP create-at
			DUP capture-at
			here COMPILE-LITERAL DUP COMPILE-LITERAL COMPILE entangle
			add-move
		ENDIF
		1+ DUP 25 =
	UNTIL
	DROP
;
{moves ghost-drops {move} pair moves}

{pieces
	{piece} stone {drops} ghost-drops
pieces}
' stone IS STONE

: OnNewGame ( -- ) 25 0 DO I I group[] ! LOOP ;

VARIABLE line-of
: row-length ( 'dir pos -- n )
	DUP to player-at line-of !
	0
	BEGIN
		1+
		OVER EXECUTE IF player line-of @ <> ELSE TRUE ENDIF
	UNTIL
	SWAP DROP
;
: four-at? ( pos -- ? )
	DUP ['] ne SWAP row-length 4 >=
	OVER ['] e SWAP row-length 4 >= OR
	OVER ['] se SWAP row-length 4 >= OR
	SWAP ['] s SWAP row-length 4 >= OR
;
: four-of? ( player -- ? )
	FALSE
	25 0 DO
		OVER I player-at = IF I four-at? OR ENDIF
	LOOP
	SWAP DROP
;
: OnIsGameOver ( -- result )            \ a measurement may complete rows of both: the player who moved has won
	#UnknownScore
	current-player four-of? IF DROP #WinScore ENDIF
	next-player four-of? IF DROP #LossScore ENDIF
	stalemate? IF DROP #DrawScore ENDIF
;
: OnEvaluate ( -- score ) current-player material-balance ;
