\ Gates: three partial moves in a turn, with locks on squares outside the board that a cleaner removes.

\ Stands for games whose state is pieces on squares outside the board: a man that moved is locked by a piece on the
\ square of its lock, and between the turns a random player with a single move removes the locks.

{board
	5 8 {grid}
	{position} lock-1 {position} lock-2 {position} lock-3 {position} lock-4
	{position} moved-1 {position} moved-2 {position} moved-3
board}

{directions
	-1  0 {direction} north
	 1  0 {direction} south
	 0  1 {direction} east
	 0 -1 {direction} west
	 0  1 {direction} next
	{link} next h5 a4 {link} next h4 a3 {link} next h3 a2 {link} next h2 a1
directions}

{players
	{player} Red
	{player} Blue
	{player} ?Cleaner {random}
players}

{turn-order
	{turn} Red {of-type} normal-type {turn} ?Cleaner {of-type} clear-type
	{turn} Blue {of-type} normal-type {turn} ?Cleaner {of-type} clear-type
turn-order}

{symmetries
	Blue {symmetry} east west
symmetries}

DEFER LOCK
DEFER MAN1

: lock-square ( kind -- pos ) MAN1 - lock-1 + ;
: locked? ( -- ? ) current-piece-type lock-square not-empty-at? ;
: lock-man ( -- ) LOCK current-piece-type lock-square create-piece-type-at ;

: moves-made ( -- n )
	moved-1 not-empty-at? IF 1 ELSE 0 ENDIF
	moved-2 not-empty-at? IF 1+ ENDIF
;
: count-move ( -- )                     \ the third move ends the turn
	moves-made
	DUP 2 < IF
		LOCK SWAP moved-1 + create-piece-type-at
		partial
	ELSE
		DROP
	ENDIF
;
: go ( -- )
	from here move
	lock-man
	count-move
	add-move
;
: step ( 'dir -- )
	locked? NOT verify
	EXECUTE verify
	empty? verify
	go
;
: step-north ( -- ) ['] north step ;	: step-south ( -- ) ['] south step ;
: step-east  ( -- ) ['] east  step ;	: step-west  ( -- ) ['] west  step ;

: push ( 'dir -- )                      \ push a box, or the enemy, one square
	locked? NOT verify
	DUP EXECUTE verify
	enemy? verify
	here SWAP
	player SWAP piece-type SWAP             ( pos owner kind 'dir )
	EXECUTE verify
	empty? verify
	here                                    ( pos owner kind pos' )
	3 PICK to
	from here move
	create-player-piece-type-at
	DROP
	lock-man
	count-move
	add-move
;
: push-north ( -- ) ['] north push ;	: push-south ( -- ) ['] south push ;
: push-east  ( -- ) ['] east  push ;	: push-west  ( -- ) ['] west  push ;

: rest ( -- ) PassNoPartial ;

: clear-board ( -- )
	a5 here = verify
	lock-1 capture-at lock-2 capture-at lock-3 capture-at lock-4 capture-at
	moved-1 capture-at moved-2 capture-at
	add-move
;

{moves man-moves
	{move} step-north {move-type} normal-type {move} step-south {move-type} normal-type
	{move} step-east  {move-type} normal-type {move} step-west  {move-type} normal-type
	{move} push-north {move-type} normal-type {move} push-south {move-type} normal-type
	{move} push-east  {move-type} normal-type {move} push-west  {move-type} normal-type
	{move} rest       {move-type} normal-type
moves}
{moves lock-drops
	{move} clear-board {move-type} clear-type
moves}

{pieces
	{piece} man-a {moves} man-moves {piece} man-b {moves} man-moves
	{piece} man-c {moves} man-moves {piece} man-d {moves} man-moves
	{piece} box	{piece} lock {drops} lock-drops
pieces}
' lock IS LOCK
' man-a IS MAN1

{board-setup
	{setup} Red man-a a1  {setup} Red man-b a2  {setup} Red man-c a4  {setup} Red man-d a5
	{setup} Blue man-a h1 {setup} Blue man-b h2 {setup} Blue man-c h4 {setup} Blue man-d h5
	{setup} ?Cleaner box d2 {setup} ?Cleaner box e3 {setup} ?Cleaner box d4
board-setup}

: on-edge? ( player column -- ? )       \ three men of the player in a column
	0 SWAP
	5 0 DO
		DUP I 8 * + player-at 3 PICK = IF SWAP 1+ SWAP ENDIF
	LOOP
	DROP SWAP DROP
	3 >=
;
: OnIsGameOver ( -- result )
	#UnknownScore
	Red 7 on-edge? IF DROP current-player Red = IF #WinScore ELSE #LossScore ENDIF ENDIF
	Blue 0 on-edge? IF DROP current-player Blue = IF #WinScore ELSE #LossScore ENDIF ENDIF
	turn-number 100 > IF DROP #DrawScore ENDIF
;
: OnEvaluate ( -- score )
	0
	a5 to
	BEGIN
		not-empty? IF
			player Red = IF here 8 MOD + ENDIF
			player Blue = IF 7 here 8 MOD - - ENDIF
		ENDIF
		next NOT
	UNTIL
	current-player Red = NOT IF NEGATE ENDIF
;
