\ Liberty: stones on 169 points; a group without a free point beside it is captured.

\ Stands for captures that scan the whole board: the move word marks a group by walking over all points until nothing
\ changes, and then walks over them again to compile a capture for each stone.  Suicide is forbidden, and so is
\ retaking a single stone at once (a variable of the board holds the point).

{board
	13 13 {grid}
	{variable} ko                   \ the forbidden point + 1, or 0
board}

{directions
	-1  0 {direction} n
	 0  1 {direction} e
	 1  0 {direction} s
	 0 -1 {direction} w
directions}

{players
	{player} Black
	{player} White
players}

{turn-order
	{turn} Black
	{turn} White
turn-order}

169 CONSTANT POINTS
169 [] mark[]
VARIABLE changed
VARIABLE free-points
VARIABLE side                           \ owner of the group
VARIABLE put-at                         \ the point of the new stone
VARIABLE taken
VARIABLE taken-at

: clear-marks ( -- ) POINTS 0 DO FALSE I mark[] ! LOOP ;

\ Spreads the mark of a point to a neighbour of the same owner.
: spread-to ( 'dir -- )
	EXECUTE IF
		empty? IF
			here put-at @ <> IF free-points ++ ENDIF
		ELSE
			player side @ = here mark[] @ NOT AND IF
				TRUE here mark[] !
				TRUE changed !
			ENDIF
		ENDIF
	ENDIF
;
: spread ( pos -- )
	DUP to ['] n spread-to
	DUP to ['] e spread-to
	DUP to ['] s spread-to
	to ['] w spread-to
;
: mark-group ( pos owner -- )           \ also counts the free points beside the group, some of them twice
	side !
	clear-marks
	TRUE SWAP mark[] !
	BEGIN
		FALSE changed !
		0 free-points !
		0
		BEGIN
			DUP mark[] @ IF DUP spread ENDIF
			1+ DUP POINTS =
		UNTIL
		DROP
		changed @ NOT
	UNTIL
;
: capture-marked ( -- )
	0
	BEGIN
		DUP mark[] @ IF
			DUP capture-at
			DUP taken-at !
			taken ++
		ENDIF
		1+ DUP POINTS =
	UNTIL
	DROP
;
: try-capture ( 'dir -- )               \ captures the enemy's group there if it has no other free point
	put-at @ to
	EXECUTE IF
		enemy? IF
			here player mark-group
			free-points @ 0= IF capture-marked ENDIF
		ENDIF
	ENDIF
;
: set-ko ( n -- ) ko ! ;

: put ( -- )
	empty? verify
	here 1+ ko @ <> verify
	here put-at !
	0 taken !
	create
	['] n try-capture
	['] e try-capture
	['] s try-capture
	['] w try-capture
	taken @ 0= IF
		put-at @ current-player mark-group
		free-points @ 0> verify                 \ no suicide
	ENDIF
	taken @ 1 = IF taken-at @ 1+ ELSE 0 ENDIF COMPILE-LITERAL COMPILE set-ko
	add-move
;
{moves stone-drops {move} put moves}

{pieces
	{piece} stone {drops} stone-drops
pieces}

{board-setup
	{setup} Black stone e5 {setup} Black stone e6 {setup} White stone f5 {setup} White stone f6
	{setup} Black stone f7 {setup} White stone e7 {setup} Black stone g8 {setup} White stone d5
	{setup} White stone e4 {setup} Black stone a1 {setup} White stone b1 {setup} White stone d6
board-setup}

: OnIsGameOver ( -- result )
	#UnknownScore
	turn-number 120 > stalemate? OR IF
		DROP
		current-player material-balance
		DUP 0= IF DROP #DrawScore ELSE 0> IF #WinScore ELSE #LossScore ENDIF ENDIF
	ENDIF
;
: OnEvaluate ( -- score ) current-player material-balance ;
