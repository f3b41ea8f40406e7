\ Arrows: a queen moves, and then shoots an arrow that blocks a square.

\ Stands for games with many hundred moves in each list: the move word follows a line, and from each square of it
\ all lines of shots, so that a single word adds up to a hundred moves of two edits.

{board
	8 8 {grid}
board}

{directions
	-1  0 {direction} n     -1  1 {direction} ne
	 0  1 {direction} e      1  1 {direction} se
	 1  0 {direction} s      1 -1 {direction} sw
	 0 -1 {direction} w     -1 -1 {direction} nw
directions}

{players
	{player} White
	{player} Black
	{neutral} Fire
players}

{turn-order
	{turn} White
	{turn} Black
turn-order}

DEFER ARROW
VARIABLE stop-square

: free? ( -- ? ) empty? here from = OR ;        \ the queen has left its square
: shoot ( 'dir -- )
	stop-square @ to
	BEGIN
		DUP EXECUTE IF
			free? IF
				from stop-square @ move
				Fire ARROW here create-player-piece-type-at
				add-move
				FALSE
			ELSE
				TRUE
			ENDIF
		ELSE
			TRUE
		ENDIF
	UNTIL
	DROP
;
: shoot-all ( -- )
	here stop-square !
	['] n shoot ['] ne shoot ['] e shoot ['] se shoot
	['] s shoot ['] sw shoot ['] w shoot ['] nw shoot
	stop-square @ to
;
: fly ( 'dir -- )
	BEGIN
		DUP EXECUTE IF
			empty? IF shoot-all FALSE ELSE TRUE ENDIF
		ELSE
			TRUE
		ENDIF
	UNTIL
	DROP
;
: fly-n ( -- ) ['] n fly ;	: fly-ne ( -- ) ['] ne fly ;
: fly-e ( -- ) ['] e fly ;	: fly-se ( -- ) ['] se fly ;
: fly-s ( -- ) ['] s fly ;	: fly-sw ( -- ) ['] sw fly ;
: fly-w ( -- ) ['] w fly ;	: fly-nw ( -- ) ['] nw fly ;
{moves queen-moves
	{move} fly-n {move-type} normal-type
	{move} fly-ne {move-type} normal-type
	{move} fly-e {move-type} normal-type
	{move} fly-se {move-type} normal-type
	{move} fly-s {move-type} normal-type
	{move} fly-sw {move-type} normal-type
	{move} fly-w {move-type} normal-type
	{move} fly-nw {move-type} normal-type
moves}

{move-priorities
	{move-priority} normal-type
move-priorities}

{pieces
	{piece} queen {moves} queen-moves
	{piece} arrow
pieces}
' arrow IS ARROW

{board-setup
	{setup} White queen a3 {setup} White queen c1 {setup} White queen f1 {setup} White queen h3
	{setup} Black queen a6 {setup} Black queen c8 {setup} Black queen f8 {setup} Black queen h6
board-setup}

: OnIsGameOver ( -- result ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;

VARIABLE room
: look ( pos 'dir -- )
	SWAP to
	EXECUTE IF empty? IF room ++ ENDIF ENDIF
;
: room-at ( pos -- n )
	0 room !
	DUP ['] n look DUP ['] ne look DUP ['] e look DUP ['] se look
	DUP ['] s look DUP ['] sw look DUP ['] w look ['] nw look
	room @
;
: OnEvaluate ( -- score )
	0
	64 0 DO
		I piece-type-at queen = IF
			I room-at I friend-at? NOT IF NEGATE ENDIF +
		ENDIF
	LOOP
;
