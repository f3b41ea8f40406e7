\ Brandubh: the king of a small army wants to reach a corner, twice as many attackers want to capture him.

{board
	7 7 {grid}
board}

{directions
	-1 0 {direction} n   1 0 {direction} s   0 1 {direction} e   0 -1 {direction} w
directions}

{players
	{player} Attackers {player} Defenders
players}
{turn-order
	{turn} Attackers {turn} Defenders
turn-order}

LOAD repetition.4th                     \ note-position, occurrences, forget-positions

DEFER KING                              \ the type of the king, which is defined below

\ --- special squares -------------------------------------------------------------------------------

\ Only the king may stop on the throne and on the corners.  A corner is hostile: it helps every player to capture an
\ adjacent piece of the other one.  So is the throne while it is empty.
: throne? ( -- ? ) here d4 = ;
: corner? ( -- ? ) here a1 = here a7 = OR here g1 = OR here g7 = OR ;
: hostile? ( -- ? ) throne? empty? AND corner? OR ;
: may-stop? ( -- ? ) throne? corner? OR NOT current-piece-type KING = OR ;

\ --- captures --------------------------------------------------------------------------------------

VARIABLE goal                           \ the square to which the piece moves; the board still shows it on its old one
VARIABLE prey                           \ the square of an enemy next to the goal

: at-goal? ( -- ? ) here goal @ = ;
: from-prey ( 'dir -- ? ) prey @ to EXECUTE ;

\ Most pieces are captured between an enemy and another enemy or a hostile square, in a line.
: enclosed? ( 'dir -- ? ) from-prey friend? hostile? OR AND ;

\ The king on the throne or beside it is captured only if attackers, or the empty throne, are on all of his sides.
: closed? ( 'dir -- ? ) from-prey at-goal? friend? OR hostile? OR AND ;
: surrounded? ( -- ? ) ['] n closed? ['] s closed? AND ['] e closed? AND ['] w closed? AND ;
: throne-in? ( 'dir -- ? ) from-prey throne? AND ;
: at-throne? ( -- ? )
	prey @ d4 = ['] n throne-in? OR ['] s throne-in? OR ['] e throne-in? OR ['] w throne-in? OR
;
: strong? ( -- ? ) prey @ piece-type-at KING = IF at-throne? ELSE FALSE ENDIF ;

: attack ( 'dir -- )
	goal @ to DUP EXECUTE enemy? AND IF
		here prey !
		strong? IF DROP surrounded? ELSE enclosed? ENDIF
		IF prey @ capture-at ENDIF
	ELSE DROP ENDIF
;

\ --- moves -----------------------------------------------------------------------------------------

: go-here ( -- )
	here goal !
	from here move
	['] n attack ['] s attack ['] e attack ['] w attack
	add-move
	goal @ to
;
: slide ( 'dir -- ) BEGIN DUP EXECUTE empty? AND WHILE may-stop? IF go-here ENDIF REPEAT DROP ;
: slide-n ( -- ) ['] n slide ;          : slide-s ( -- ) ['] s slide ;
: slide-e ( -- ) ['] e slide ;          : slide-w ( -- ) ['] w slide ;

{moves slides
	{move} slide-n {move} slide-s {move} slide-e {move} slide-w
moves}
{pieces
	{piece} attacker {moves} slides   30 {value}
	{piece} defender {moves} slides   50 {value}
	{piece} king     {moves} slides    0 {value}
pieces}
' king IS KING

{board-setup
	{setup} Attackers attacker d7 {setup} Attackers attacker d6 {setup} Attackers attacker d2 {setup} Attackers attacker d1
	{setup} Attackers attacker a4 {setup} Attackers attacker b4 {setup} Attackers attacker f4 {setup} Attackers attacker g4
	{setup} Defenders defender d5 {setup} Defenders defender d3 {setup} Defenders defender c4 {setup} Defenders defender e4
	{setup} Defenders king d4
board-setup}

\ --- the end ---------------------------------------------------------------------------------------

49 CONSTANT #squares

: king-square ( -- pos )                \ -1 if the king was captured
	-1 #squares 0 DO I piece-type-at KING = IF DROP I LEAVE ENDIF LOOP
;
: escaped? ( -- ? ) king-square DUP 0< IF DROP FALSE ELSE to corner? ENDIF ;

: OnNewGame ( -- ) forget-positions ;
: OnGenerateMoves ( -- ) note-position ;

\ Only the player who has just moved can have won.  The words after ^" say why the game has ended.
: OnIsGameOver ( -- result )
	king-square 0< IF ^" the king is captured" #LossScore ELSE
	escaped? IF ^" the king has reached a corner" #LossScore ELSE
	stalemate? IF ^" no legal move" #LossScore ELSE
	occurrences @ 2 > IF ^" the position has occurred three times" #DrawScore ELSE
		#UnknownScore
	ENDIF ENDIF ENDIF ENDIF
;

\ --- evaluation, for the defenders ------------------------------------------------------------------

: count-ray ( n 'dir -- n' )            \ squares to which the king can move in a direction
	king-square to BEGIN DUP EXECUTE empty? AND WHILE SWAP 1+ SWAP REPEAT DROP
;
: king-moves ( -- n ) 0 ['] n count-ray ['] s count-ray ['] e count-ray ['] w count-ray ;

\ A corner that the king can reach in one move.
: sees-corner? ( 'dir -- ? ) king-square to BEGIN DUP EXECUTE empty? AND NOT UNTIL DROP corner? ;
: open-corners ( -- n )
	['] n sees-corner? ['] s sees-corner? + ['] e sees-corner? + ['] w sees-corner? + NEGATE
;
: worth ( -- n )
	Defenders material-balance king-moves 4 * + open-corners 150 * +
;
: OnEvaluate ( -- score ) worth current-player Attackers = IF NEGATE ENDIF ;
