\ Pits: sowing in two rows of six pits, with a store for each player.

\ Stands for sowing games: lists of at most six moves.  Each number of seeds is a kind of piece, as the pictures of such
\ games need it, so a move is a long row of changes, with a long text that few people read.

{board
	2 6 {grid}
	{variable} south-store
	{variable} north-store
board}

{directions
	{link} next a1 b1 {link} next b1 c1 {link} next c1 d1 {link} next d1 e1 {link} next e1 f1 {link} next f1 f2
	{link} next f2 e2 {link} next e2 d2 {link} next d2 c2 {link} next c2 b2 {link} next b2 a2 {link} next a2 a1
directions}

{players
	{player} South
	{player} North
players}

{turn-order
	{turn} South
	{turn} North
turn-order}

DEFER EMPTY-PIT                         \ the first of the kinds
12 [] seeds[]                           \ a copy of the pits while a move is made up
VARIABLE in-hand
VARIABLE won

: count-at ( pos -- n ) piece-type-at EMPTY-PIT - ;
: store ( -- addr ) current-player South = IF south-store ELSE north-store ENDIF ;
: bank ( n -- ) store +! ;
: own-row? ( -- ? ) here 6 / current-player South = IF 1 ELSE 0 ENDIF = ;
: take-copy ( -- ) 12 0 DO I count-at I seeds[] ! LOOP ;
: two-or-three? ( n -- ? ) DUP 2 = SWAP 3 = OR ;

: sow ( -- )
	here count-at DUP 0> verify
	in-hand !
	take-copy
	0 here seeds[] !
	BEGIN
		next DROP
		here from <> IF
			here seeds[] ++
			in-hand --
		ENDIF
		in-hand @ 0=
	UNTIL
	0 won !
	own-row? NOT here seeds[] @ two-or-three? AND IF
		here seeds[] @ won !
		0 here seeds[] !
	ENDIF
	12 0 DO
		I seeds[] @ I count-at <> IF
			I seeds[] @ 16 MIN EMPTY-PIT + I change-type-at
		ENDIF
	LOOP
	won @ IF won @ COMPILE-LITERAL COMPILE bank ENDIF
	add-move
;
{moves sowing {move} sow moves}

{pieces
	{piece} p0  {moves} sowing {piece} p1  {moves} sowing {piece} p2  {moves} sowing {piece} p3  {moves} sowing
	{piece} p4  {moves} sowing {piece} p5  {moves} sowing {piece} p6  {moves} sowing {piece} p7  {moves} sowing
	{piece} p8  {moves} sowing {piece} p9  {moves} sowing {piece} p10 {moves} sowing {piece} p11 {moves} sowing
	{piece} p12 {moves} sowing {piece} p13 {moves} sowing {piece} p14 {moves} sowing {piece} p15 {moves} sowing
	{piece} p16 {moves} sowing
pieces}
' p0 IS EMPTY-PIT

{board-setup
	{setup} South p4 a1 {setup} South p4 b1 {setup} South p4 c1 {setup} South p4 d1 {setup} South p4 e1 {setup} South p4 f1
	{setup} North p4 a2 {setup} North p4 b2 {setup} North p4 c2 {setup} North p4 d2 {setup} North p4 e2 {setup} North p4 f2
board-setup}

: lead ( -- n )
	south-store @ north-store @ -
	current-player North = IF NEGATE ENDIF
;
: OnIsGameOver ( -- result )
	#UnknownScore
	south-store @ 24 > north-store @ 24 > OR
	stalemate? OR turn-number 100 > OR IF
		DROP
		lead DUP 0= IF
			DROP #DrawScore
		ELSE
			0> IF #WinScore ELSE #LossScore ENDIF
		ENDIF
	ENDIF
;
: OnEvaluate ( -- score ) lead ;
