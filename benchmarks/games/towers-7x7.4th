\ Towers: men on men on 49 squares; what lies under a man is on hidden squares; level 140.

\ Stands for games of stacks: seven rows of seven are seen, and below each square four more are hidden in the rows of
\ the grid beyond, so that the engine scans 245 squares.  Moving a tower moves up to five pieces in one move.

{board
	35 7 {grid}
board}

{directions
	-1  0 {direction} n
	 0  1 {direction} e
	 1  0 {direction} s
	 0 -1 {direction} w
	 7  0 {direction} under
directions}

{players
	{player} White
	{player} Black
players}

{turn-order
	{turn} White
	{turn} Black
turn-order}

49 CONSTANT seen

: on-top? ( -- ? ) here seen < ;
: height ( pos -- n )
	DUP empty-at? IF
		DROP 0
	ELSE
		to
		1
		BEGIN
			under IF
				empty? IF TRUE ELSE 1+ FALSE ENDIF
			ELSE
				TRUE
			ENDIF
		UNTIL
	ENDIF
;
VARIABLE own-height
VARIABLE other-height
VARIABLE target
VARIABLE level

\ The tower of `from` comes to stand on what is on the target: first what lies there goes down, then the tower follows.
: press-down ( -- )
	other-height @ level !
	BEGIN
		level @ 0>
	WHILE
		level --
		target @ level @ 49 * + DUP player-at SWAP
		piece-type-at
		target @ level @ own-height @ + 49 * +
		create-player-piece-type-at
	REPEAT
;
: carry ( -- )
	0 level !
	BEGIN
		from level @ 49 * + DUP player-at
		OVER piece-type-at
		target @ level @ 49 * +
		create-player-piece-type-at
		capture-at
		level ++
		level @ own-height @ =
	UNTIL
;
: go ( 'dir -- )
	from seen < verify
	EXECUTE verify
	on-top? verify
	here target !
	from height own-height !
	target @ height other-height !
	own-height @ other-height @ + 6 < verify
	press-down
	carry
	add-move
;
: go-n ( -- ) ['] n go ;
: go-e ( -- ) ['] e go ;
: go-s ( -- ) ['] s go ;
: go-w ( -- ) ['] w go ;
: put ( -- )
	on-top? verify
	empty? verify
	drop
	add-move
;
{moves man-moves
	{move} go-n {move-type} normal-type
	{move} go-e {move-type} normal-type
	{move} go-s {move-type} normal-type
	{move} go-w {move-type} normal-type
moves}
{moves man-drops
	{move} put {move-type} normal-type
moves}

{move-priorities
	{move-priority} normal-type
move-priorities}

{pieces
	{piece} Man {moves} man-moves {drops} man-drops
pieces}

{board-setup
	{setup} White Man c33 {setup} Black Man e31 {setup} White Man d34 {setup} Black Man d30
board-setup}

: across? ( player row -- ? )           \ does the player own all of a row?
	7 * TRUE SWAP
	DUP 7 + SWAP DO
		OVER I player-at = AND
	LOOP
	SWAP DROP
;
: has-row? ( player -- ? )
	FALSE
	7 0 DO OVER I across? OR LOOP
	SWAP DROP
;
: OnIsGameOver ( -- result )
	#UnknownScore
	White has-row? IF DROP current-player White = IF #WinScore ELSE #LossScore ENDIF ENDIF
	Black has-row? IF DROP current-player Black = IF #WinScore ELSE #LossScore ENDIF ENDIF
	turn-number 120 > stalemate? OR IF DROP #DrawScore ENDIF
;
: OnEvaluate ( -- score )               \ tops of towers, higher ones count more
	0
	49 0 DO
		I not-empty-at? IF
			I height I friend-at? NOT IF NEGATE ENDIF +
		ENDIF
	LOOP
;
