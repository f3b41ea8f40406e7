\ Rows: five stones in a row on 361 points.

\ Stands for games of level 140 with one drop word, several hundred moves in each list, a test of the whole board
\ after each move, and an evaluation that walks the board.  Plain text book style: no tables, no shortcuts.

{board
	19 19 {grid}
board}

{directions
	-1  0 {direction} n
	 0  1 {direction} e
	 1  1 {direction} se
	 1 -1 {direction} sw
	 1  0 {direction} s
directions}

{players
	{player} Black
	{player} White
players}

{turn-order
	{turn} Black
	{turn} White
turn-order}

: put ( -- )
	empty? verify
	drop
	add-move
;
{moves stone-drops {move} put moves}

{pieces
	{piece} Stone {drops} stone-drops
pieces}

{board-setup
	{setup} Black Stone j10 {setup} White Stone k11 {setup} Black Stone i11 {setup} White Stone j12
board-setup}

VARIABLE length
VARIABLE owner
VARIABLE longest

: count-row ( pos 'dir -- )             \ stones of one owner from pos on
	SWAP to
	player owner !
	0 length !
	BEGIN
		length ++
		DUP EXECUTE IF
			player owner @ <>
		ELSE
			TRUE
		ENDIF
	UNTIL
	DROP
	length @ longest @ > IF length @ longest ! ENDIF
;
: longest-at ( pos -- n )
	0 longest !
	DUP ['] e count-row
	DUP ['] se count-row
	DUP ['] s count-row
	['] sw count-row
	longest @
;

VARIABLE five
: OnIsGameOver ( -- result )
	FALSE five !
	361
	BEGIN
		1-
		DUP not-empty-at? IF
			DUP longest-at 5 >= IF TRUE five ! ENDIF
		ENDIF
		DUP 0=
	UNTIL
	DROP
	five @ IF
		#LossScore
	ELSE
		stalemate? turn-number 150 > OR IF #DrawScore ELSE #UnknownScore ENDIF
	ENDIF
;

: OnEvaluate ( -- score )
	0
	361
	BEGIN
		1-
		DUP not-empty-at? IF
			DUP longest-at DUP *
			OVER friend-at? NOT IF NEGATE ENDIF
			ROT + SWAP
		ENDIF
		DUP 0=
	UNTIL
	DROP
;
