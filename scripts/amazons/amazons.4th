\ Amazons: queens shoot arrows that block the board; the last player who can move wins.

{board
	10 10 {grid}
	{variable} shooter              \ within a turn: the square of the queen that moved plus one; otherwise 0
board}

{directions
	-1 -1 {direction} nw   -1  0 {direction} n   -1  1 {direction} ne
	 0 -1 {direction} w                           0  1 {direction} e
	 1 -1 {direction} sw    1  0 {direction} s    1  1 {direction} se
directions}

{players
	{player} White {player} Black {neutral} Neutral
players}
{turn-order
	{turn} White {turn} Black
turn-order}

\ The names of pieces and move types are defined below, but the words here use them.
DEFER ARROW
DEFER SHOOTING

\ --- moves -----------------------------------------------------------------------------------------

\ A turn has two parts: a queen moves, and shoots an arrow from its new square.  `shooter` tells the second part which
\ queen it was.  It is part of the position, so the moves set it.
: set-shooter ( n -- ) shooter ! ;

: move-here ( -- )
	from here move
	here 1+ COMPILE-LITERAL COMPILE set-shooter
	SHOOTING partial-move-type
	add-move
;
: shoot-here ( -- )
	Neutral ARROW create-player-piece-type
	0 COMPILE-LITERAL COMPILE set-shooter
	add-move
;
: slide ( 'dir -- ) shooter @ 0= verify BEGIN DUP EXECUTE empty? AND WHILE move-here REPEAT DROP ;
: shoot ( 'dir -- ) shooter @ from 1+ = verify BEGIN DUP EXECUTE empty? AND WHILE shoot-here REPEAT DROP ;

: slide-n ( -- ) ['] n slide ;          : shoot-n ( -- ) ['] n shoot ;
: slide-ne ( -- ) ['] ne slide ;        : shoot-ne ( -- ) ['] ne shoot ;
: slide-e ( -- ) ['] e slide ;          : shoot-e ( -- ) ['] e shoot ;
: slide-se ( -- ) ['] se slide ;        : shoot-se ( -- ) ['] se shoot ;
: slide-s ( -- ) ['] s slide ;          : shoot-s ( -- ) ['] s shoot ;
: slide-sw ( -- ) ['] sw slide ;        : shoot-sw ( -- ) ['] sw shoot ;
: slide-w ( -- ) ['] w slide ;          : shoot-w ( -- ) ['] w shoot ;
: slide-nw ( -- ) ['] nw slide ;        : shoot-nw ( -- ) ['] nw shoot ;

{moves queen-moves
	{move} slide-n  {move-type} moving      {move} shoot-n  {move-type} shooting
	{move} slide-ne {move-type} moving      {move} shoot-ne {move-type} shooting
	{move} slide-e  {move-type} moving      {move} shoot-e  {move-type} shooting
	{move} slide-se {move-type} moving      {move} shoot-se {move-type} shooting
	{move} slide-s  {move-type} moving      {move} shoot-s  {move-type} shooting
	{move} slide-sw {move-type} moving      {move} shoot-sw {move-type} shooting
	{move} slide-w  {move-type} moving      {move} shoot-w  {move-type} shooting
	{move} slide-nw {move-type} moving      {move} shoot-nw {move-type} shooting
moves}
' shooting IS SHOOTING

{pieces
	{piece} queen {moves} queen-moves
	{piece} arrow
pieces}
' arrow IS ARROW

{board-setup
	{setup} White queen a4 {setup} White queen d1 {setup} White queen g1 {setup} White queen j4
	{setup} Black queen a7 {setup} Black queen d10 {setup} Black queen g10 {setup} Black queen j7
board-setup}

\ A queen that has moved can always shoot, at least to the square that it left.
: OnIsGameOver ( -- result )
	stalemate? IF ^" no queen can move" #LossScore ELSE #UnknownScore ENDIF
;

\ Each move word depends only on the board and the turn.  OnIsGameOver and OnEvaluate ask at most whether there are moves,
\ and leave the board as it is.  The host reads these constants; the original ignores them.
TRUE CONSTANT independent-moves
TRUE CONSTANT hooks-keep-moves

\ --- evaluation ------------------------------------------------------------------------------------

\ An empty square belongs to the player whose queens reach it in fewer moves.
100 CONSTANT #squares
50 CONSTANT far                         \ more moves than any path has

{scratch
#squares 2* [] distance[]               \ by player and square: number of moves
#squares [] reached[]                   \ the squares reached, in the order of their distances
VARIABLE reached                        \ number of squares in reached[]
VARIABLE distances                      \ distance[] of the player examined
scratch}

: distance ( pos -- addr ) CELLS distances @ + ;
: reach ( n pos -- ) DUP reached @ reached[] ! reached ++ distance ! ;
: reach-line ( n 'dir -- n )            \ from `here` on
	BEGIN DUP EXECUTE empty? AND WHILE
		OVER here distance @ < IF OVER here reach ENDIF
	REPEAT DROP
;
: reach-from ( pos -- )
	DUP distance @ 1+ SWAP                  ( n pos )
	DUP to SWAP ['] n reach-line SWAP   DUP to SWAP ['] ne reach-line SWAP
	DUP to SWAP ['] e reach-line SWAP   DUP to SWAP ['] se reach-line SWAP
	DUP to SWAP ['] s reach-line SWAP   DUP to SWAP ['] sw reach-line SWAP
	DUP to SWAP ['] w reach-line SWAP   DUP to SWAP ['] nw reach-line SWAP
	2DROP
;
: reach-all ( player -- )
	DUP player-index #squares * distance[] distances !
	reached OFF
	#squares 0 DO
		far I distance !
		DUP I player-at = IF 0 I reach ENDIF
	LOOP
	DROP
	0 BEGIN DUP reached @ < WHILE DUP reached[] @ reach-from 1+ REPEAT DROP
;
: compare ( mine theirs -- n )          \ of a square, 10 if it belongs to a player
	2DUP = IF DROP far = IF 0 ELSE 2 ENDIF ELSE < IF 10 ELSE -10 ENDIF ENDIF
;
: distance-of ( pos player -- n ) player-index #squares * + distance[] @ ;
: OnEvaluate ( -- score )
	White reach-all Black reach-all
	0 #squares 0 DO
		I empty-at? IF I current-player distance-of I next-player distance-of compare + ENDIF
	LOOP
;
