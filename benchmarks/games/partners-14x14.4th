\ Partners: four players in two teams on a board in the form of a cross; level 140.

\ Stands for games of four with a script's own OnFriends?: players take turns, turned boards by symmetries, kings that
\ drop out, and players without a king who must pass.

{board
	14 14 {grid}
	{variable} north-lost
	{variable} east-lost
	{variable} south-lost
	{variable} west-lost
board}

{directions
	-1  0 {direction} n     -1  1 {direction} ne
	 0  1 {direction} e      1  1 {direction} se
	 1  0 {direction} s      1 -1 {direction} sw
	 0 -1 {direction} w     -1 -1 {direction} nw
directions}

{players
	{player} South
	{player} West
	{player} North
	{player} East
players}

{turn-order
	{turn} South
	{turn} West
	{turn} North
	{turn} East
turn-order}

{symmetries
	North {symmetry} n s	North {symmetry} ne se	North {symmetry} nw sw	North {symmetry} e w
symmetries}

: column ( pos -- n ) 14 MOD ;
: row ( pos -- n ) 14 / ;
: in-middle? ( n -- ? ) DUP 3 > SWAP 10 < AND ;
: on-board? ( -- ? ) here column in-middle? here row in-middle? OR ;
: OnFriends? ( player player -- ? ) - 4096 MOD 0= ;
: partner-at? ( pos -- ? )
	DUP empty-at? IF DROP FALSE ELSE player-at current-player OnFriends? ENDIF
;

DEFER KING
: lost ( player -- addr )
	DUP South = IF DROP south-lost ELSE
	DUP North = IF DROP north-lost ELSE
	East = IF east-lost ELSE west-lost ENDIF ENDIF ENDIF
;
: kill ( player -- ) lost ON ;

: go ( -- )
	here partner-at? NOT verify
	from here move
	piece-type KING = IF player COMPILE-LITERAL COMPILE kill ENDIF
	add-move
;
: step ( 'dir -- )
	current-player lost @ NOT verify
	EXECUTE verify
	on-board? verify
	go
;
: slide ( 'dir -- )
	current-player lost @ NOT verify
	BEGIN
		DUP EXECUTE on-board? AND empty? AND IF
			from here move
			add-move
			FALSE
		ELSE
			TRUE
		ENDIF
	UNTIL
	DROP
	here from <> verify
	on-board? verify
	empty? NOT verify
	go
;
: step-n ( -- ) ['] n step ;	: step-ne ( -- ) ['] ne step ;
: step-e ( -- ) ['] e step ;	: step-se ( -- ) ['] se step ;
: step-s ( -- ) ['] s step ;	: step-sw ( -- ) ['] sw step ;
: step-w ( -- ) ['] w step ;	: step-nw ( -- ) ['] nw step ;
: slide-n ( -- ) ['] n slide ;	: slide-ne ( -- ) ['] ne slide ;
: slide-e ( -- ) ['] e slide ;	: slide-se ( -- ) ['] se slide ;
: slide-s ( -- ) ['] s slide ;	: slide-sw ( -- ) ['] sw slide ;
: slide-w ( -- ) ['] w slide ;	: slide-nw ( -- ) ['] nw slide ;
: give-up ( -- ) current-player lost @ verify Pass ;

{moves king-moves {move} step-n {move} step-ne {move} step-e {move} step-se
	{move} step-s {move} step-sw {move} step-w {move} step-nw {move} give-up moves}
{moves man-moves {move} step-n {move} step-e {move} step-s {move} step-w {move} give-up moves}
{moves rook-moves {move} slide-n {move} slide-e {move} slide-s {move} slide-w {move} give-up moves}
{moves bishop-moves {move} slide-ne {move} slide-se {move} slide-sw {move} slide-nw {move} give-up moves}

{pieces
	{piece} King   {moves} king-moves   20 {value}
	{piece} Man    {moves} man-moves     1 {value}
	{piece} Rook   {moves} rook-moves    5 {value}
	{piece} Bishop {moves} bishop-moves  3 {value}
pieces}
' King IS KING

{board-setup
	{setup} South King g1  {setup} South Rook e1  {setup} South Rook j1  {setup} South Bishop f1 {setup} South Man f2 {setup} South Man h2
	{setup} North King h14 {setup} North Rook e14 {setup} North Rook j14 {setup} North Bishop i14 {setup} North Man g13 {setup} North Man i13
	{setup} West King a7   {setup} West Rook a5   {setup} West Rook a10  {setup} West Bishop a6  {setup} West Man b6  {setup} West Man b8
	{setup} East King n8   {setup} East Rook n5   {setup} East Rook n10  {setup} East Bishop n9  {setup} East Man m7  {setup} East Man m9
board-setup}

: OnIsGameOver ( -- result )            \ a team has lost when both its kings are gone
	#UnknownScore
	south-lost @ north-lost @ AND IF
		DROP current-player South = current-player North = OR IF #LossScore ELSE #WinScore ENDIF
	ENDIF
	west-lost @ east-lost @ AND IF
		DROP current-player South = current-player North = OR IF #WinScore ELSE #LossScore ENDIF
	ENDIF
	turn-number 200 > IF DROP #DrawScore ENDIF
;
: OnEvaluate ( -- score )
	0
	196 0 DO
		I not-empty-at? IF
			I piece-at piece-value
			I partner-at? NOT IF NEGATE ENDIF
			+
		ENDIF
	LOOP
;
$passTurnForced ON
