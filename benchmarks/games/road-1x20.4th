\ Road: a race with two dice, which a random player throws between the turns; level 140.

\ Stands for dice games: squares outside the road hold the dice and the stock, the random player moves in turns of a
\ move type of its own, and each list is tiny.  Men are captured and start again.

{board
	1 20 {grid}
	{position} stock-w
	{position} stock-b
	{position} die-1
	{position} die-2
	{variable} white-home
	{variable} black-home
	{variable} white-stock
	{variable} black-stock
board}

{directions
	0 1 {direction} along
	{link} along stock-w a1
	{link} along stock-b a1
directions}

{players
	{player} White
	{player} Black
	{player} ?Dice {random}
players}

DEFER FACE1

: die-face ( pos -- n )                 \ 0 if the die was used
	DUP empty-at? IF
		DROP 0
	ELSE
		piece-type-at FACE1 - 1+
	ENDIF
;
: own-home ( -- addr ) current-player 2048 = IF white-home ELSE black-home ENDIF ;
: own-stock ( -- addr ) current-player 2048 = IF white-stock ELSE black-stock ENDIF ;
: other-stock ( -- addr ) current-player 2048 = IF black-stock ELSE white-stock ENDIF ;
: in-stock? ( -- ? ) from stock-w = from stock-b = OR ;
: come-home ( -- ) own-home ++ ;
: leave-stock ( -- ) own-stock -- ;
: send-back ( -- ) other-stock ++ ;
: refill ( -- )                         \ the stock's square holds a man unless the stock is empty
	current-player White = IF Black stock-b ELSE White stock-w ENDIF
	DUP empty-at? IF create-player-at ELSE 2DROP ENDIF
;

: walk-on ( die -- )
	DUP die-face
	DUP 0> verify
	BEGIN
		along IF
			1- DUP 0=
		ELSE
			DROP -1 TRUE                    \ over the end
		ENDIF
	UNTIL
	0< IF
		from capture-at
		COMPILE come-home
	ELSE
		friend? NOT verify
		enemy? IF COMPILE send-back TRUE ELSE FALSE ENDIF
		in-stock? IF
			own-stock @ 1 > IF here create-at ELSE from here move ENDIF
			COMPILE leave-stock
		ELSE
			from here move
		ENDIF
		IF refill ENDIF
	ENDIF
	capture-at                              \ the die is used up
	add-move
;
: by-first ( -- ) die-1 walk-on ;
: by-second ( -- ) die-2 walk-on ;
: stay ( -- ) Pass ;

{moves man-moves
	{move} by-first  {move-type} normal
	{move} by-second {move-type} normal
	{move} stay      {move-type} waiting
moves}

: throw-first ( -- ) here die-1 = verify drop add-move ;
: throw-second ( -- ) here die-2 = verify drop add-move ;
{moves die-drops
	{move} throw-first  {move-type} first-throw
	{move} throw-second {move-type} second-throw
moves}

{move-priorities
	{move-priority} normal
	{move-priority} waiting
move-priorities}

{pieces
	{piece} Man {moves} man-moves 10 {value}
	{piece} One   {drops} die-drops
	{piece} Two   {drops} die-drops
	{piece} Three {drops} die-drops
	{piece} Four  {drops} die-drops
pieces}
' One IS FACE1

{turn-order
	{turn} ?Dice {of-type} first-throw
	{turn} ?Dice {of-type} second-throw
	{turn} White
	{turn} ?Dice {of-type} first-throw
	{turn} ?Dice {of-type} second-throw
	{turn} Black
turn-order}

{board-setup
	{setup} White Man stock-w
	{setup} Black Man stock-b
board-setup}

: OnNewGame ( -- ) 4 white-stock ! 4 black-stock ! ;

: OnIsGameOver ( -- result )
	#UnknownScore
	white-home @ 4 >= IF DROP current-player White = IF #WinScore ELSE #LossScore ENDIF ENDIF
	black-home @ 4 >= IF DROP current-player Black = IF #WinScore ELSE #LossScore ENDIF ENDIF
	turn-number 240 > IF DROP #DrawScore ENDIF
;
: OnEvaluate ( -- score )
	0
	20 0 DO I not-empty-at? IF I I friend-at? NOT IF NEGATE ENDIF + ENDIF LOOP
	own-home @ 25 * +
;
