\ Fields: sowing in laps on four rows of eight, for level 140 of the language.

\ Stands for sowing games in which a lap may begin another one, so that the move word plays the whole turn on a copy
\ of the pits before it knows what to write into the move.  Lists have at most sixteen moves.  Pieces show the number
\ of seeds up to 8, because the original's search tells positions apart by their pieces.

{board
	4 8 {grid}
	32 {array} seeds
board}

\ South owns the lower rows 1 and 2, North rows 3 and 4; each sows around its own two rows.
{directions
	{link} next a1 b1 {link} next b1 c1 {link} next c1 d1 {link} next d1 e1 {link} next e1 f1 {link} next f1 g1
	{link} next g1 h1 {link} next h1 h2 {link} next h2 g2 {link} next g2 f2 {link} next f2 e2 {link} next e2 d2
	{link} next d2 c2 {link} next c2 b2 {link} next b2 a2 {link} next a2 a1
	{link} next h4 g4 {link} next g4 f4 {link} next f4 e4 {link} next e4 d4 {link} next d4 c4 {link} next c4 b4
	{link} next b4 a4 {link} next a4 a3 {link} next a3 b3 {link} next b3 c3 {link} next c3 d3 {link} next d3 e3
	{link} next e3 f3 {link} next f3 g3 {link} next g3 h3 {link} next h3 h4
	-1 0 {direction} up
	1 0 {direction} down
directions}

{players
	{player} South
	{player} North
players}

{turn-order
	{turn} South
	{turn} North
turn-order}

DEFER BARE-PIT

CREATE copy 32 CELLS ALLOT
: copy-at ( pos -- addr ) CELLS copy + ;
: take-copy ( -- ) 0 seeds copy 32 MOVE ;

VARIABLE in-hand
VARIABLE laps

: set-pit ( n pos -- ) 2DUP seeds ! SWAP 8 MIN BARE-PIT + SWAP (change-type-at) ;

: across ( -- ? )                       \ from an inner row to the two opposite pits
	current-player 2048 = IF up ELSE down ENDIF
;
: inner? ( -- ? ) here 7 > here 24 < AND ;
: capture-across ( -- )                 \ seeds opposite join the hand
	inner? in-hand @ 0> AND IF
		here
		across IF
			here copy-at @ in-hand +!
			0 here copy-at !
			across IF
				here copy-at @ in-hand +!
				0 here copy-at !
			ENDIF
		ENDIF
		to
	ENDIF
;
: lap ( -- )                            \ sow what is in the hand
	BEGIN
		next DROP
		here copy-at ++
		in-hand --
		in-hand @ 0=
	UNTIL
;
: sow ( -- )
	here seeds @ 1 > verify
	take-copy
	0 laps !
	BEGIN
		here copy-at @ in-hand !
		0 here copy-at !
		laps @ 0> IF capture-across ENDIF
		lap
		laps ++
		here copy-at @ 1 =
		laps @ 20 > OR
	UNTIL
	from from move
	32 0 DO
		I seeds @ I copy-at @ <> IF
			I copy-at @ COMPILE-LITERAL I COMPILE-LITERAL COMPILE set-pit
		ENDIF
	LOOP
	add-move
;
{moves sowing
	{move} sow
moves}

{pieces
	{piece} p0 {moves} sowing {piece} p1 {moves} sowing {piece} p2 {moves} sowing
	{piece} p3 {moves} sowing {piece} p4 {moves} sowing {piece} p5 {moves} sowing
	{piece} p6 {moves} sowing {piece} p7 {moves} sowing {piece} p8 {moves} sowing
pieces}
' p0 IS BARE-PIT

{board-setup
	{setup} South p2 a1 {setup} South p2 b1 {setup} South p2 c1 {setup} South p2 d1
	{setup} South p2 e1 {setup} South p2 f1 {setup} South p2 g1 {setup} South p2 h1
	{setup} South p2 a2 {setup} South p2 b2 {setup} South p2 c2 {setup} South p2 d2
	{setup} South p0 e2 {setup} South p0 f2 {setup} South p0 g2 {setup} South p0 h2
	{setup} North p0 a3 {setup} North p0 b3 {setup} North p0 c3 {setup} North p0 d3
	{setup} North p2 e3 {setup} North p2 f3 {setup} North p2 g3 {setup} North p2 h3
	{setup} North p2 a4 {setup} North p2 b4 {setup} North p2 c4 {setup} North p2 d4
	{setup} North p2 e4 {setup} North p2 f4 {setup} North p2 g4 {setup} North p2 h4
board-setup}

: OnNewGame ( -- )
	32 0 DO 2 I seeds ! LOOP
	4 0 DO 0 I 8 + seeds ! 0 I 20 + seeds ! LOOP
;

: OnIsGameOver ( -- result )
	stalemate? IF
		#LossScore
	ELSE
		turn-number 200 > IF #DrawScore ELSE #UnknownScore ENDIF
	ENDIF
;

: half ( first -- n ) 0 SWAP DUP 16 + SWAP DO I seeds @ + LOOP ;
: OnEvaluate ( -- score )
	16 half 0 half -
	current-player 2048 = NOT IF NEGATE ENDIF
;
