\ Crowd: 240 squares and 80 men who step in eight directions.

\ Stands for games with many trivial moves: the words are three instructions long, but there are hundreds of them in
\ each list, and no capture ever makes the lists shorter.  Who gets a man to the far row wins.

{board
	12 20 {grid}
board}

{directions
	-1  0 {direction} n     -1  1 {direction} ne
	 0  1 {direction} e      1  1 {direction} se
	 1  0 {direction} s      1 -1 {direction} sw
	 0 -1 {direction} w     -1 -1 {direction} nw
directions}

{players
	{player} Lower
	{player} Upper
players}

{turn-order
	{turn} Lower
	{turn} Upper
turn-order}

: step ( 'dir -- )
	EXECUTE verify
	empty? verify
	from
	here
	move
	add-move
;
: to-n  ( -- ) ['] n  step ;
: to-ne ( -- ) ['] ne step ;
: to-e  ( -- ) ['] e  step ;
: to-se ( -- ) ['] se step ;
: to-s  ( -- ) ['] s  step ;
: to-sw ( -- ) ['] sw step ;
: to-w  ( -- ) ['] w  step ;
: to-nw ( -- ) ['] nw step ;

{moves man-moves
	{move} to-n {move-type} normal-type
	{move} to-ne {move-type} normal-type
	{move} to-e {move-type} normal-type
	{move} to-se {move-type} normal-type
	{move} to-s {move-type} normal-type
	{move} to-sw {move-type} normal-type
	{move} to-w {move-type} normal-type
	{move} to-nw {move-type} normal-type
moves}

{move-priorities
	{move-priority} normal-type
move-priorities}

{pieces
	{piece} Man {moves} man-moves
pieces}

: men ( row first player -- )           \ ten men on every second square of a row, at new game
	ROT 20 * ROT +
	10 0 DO
		2DUP Man SWAP OnEditAdd
		2 +
	LOOP
	2DROP
;
: OnNewGame ( -- )
	11 0 Lower men 10 1 Lower men 9 0 Lower men 8 1 Lower men
	 0 1 Upper men  1 0 Upper men 2 1 Upper men 3 0 Upper men
;
{board-setup
	{setup} Lower Man b1
	{setup} Upper Man a12
board-setup}

: owns-row? ( player first -- ? )
	FALSE SWAP
	DUP 20 + SWAP DO
		OVER I player-at = OR
	LOOP
	SWAP DROP
;
: OnIsGameOver ( -- result )
	Lower 0 owns-row? Upper 220 owns-row? OR IF
		#LossScore
	ELSE
		turn-number 300 > stalemate? OR IF #DrawScore ELSE #UnknownScore ENDIF
	ENDIF
;
: OnEvaluate ( -- score )               \ rows walked
	0
	240 0 DO
		I player-at Lower = IF 11 I 20 / - + ENDIF
		I player-at Upper = IF I 20 / - ENDIF
	LOOP
	current-player Upper = IF NEGATE ENDIF
;
