\ Remarks: the pieces under attack, and the arithmetic of the attacks.

\ Owns only the wording.  The words of captures.4th compute the captures again.  With `explaining` on they do not stop
\ at the first reason of a capture, and call `report-reason` with every reason.

\ === Wording ============================================================================================
: .type ( type -- ) type-name TYPE ;
: .square ( pos -- ) CELLS $posNames @ + @ TYPE ;
: .number ( n -- ) 0 .R ;

: .entry ( entry -- )                   \ R16 e6, or of a pyramid: P91 i7 as 25
	DUP entry-pos DUP piece-type-at         ( entry pos type )
	DUP .type SPACE SWAP .square
	class-of[] @ #pyramid = IF ."  as " DUP @ .number ENDIF
	DROP
;
: .victim ( -- )                        \ S225, or P190 part S64
	victim-at @ piece-type-at .type
	unit @ IF ."  part " unit @ 1- defender @ side-of part-home piece-type-at .type ENDIF
;

\ `first-entry` and `second-entry` are variables of the loops in captures.4th; the words below must only read them.
: difference? ( c -- ? ) DUP ASCII - = SWAP ASCII / = OR ;
: .ambush ( c -- )                      \ the larger value first for - and /
	first-entry @ second-entry @            ( c entry entry' )
	2 PICK difference? IF 2DUP @ SWAP @ > IF SWAP ENDIF ENDIF
	SWAP .entry SWAP SPACE EMIT SPACE .entry
;
: .eruption ( -- )                      \ S25 c3 25 x 9, or T42 g3 42 / 6
	first-entry @ entry-pos DUP piece-type-at .type SPACE .square SPACE
	first-entry @ @ DUP .number unit-value @ < IF ."  x " ELSE ."  / " ENDIF
	first-entry @ entry-pos victim-at @ line-distance .number
;
: .reason ( reason -- )
	DUP #siege = IF DROP ." by siege" ELSE
	DUP #equality = IF DROP ." by equality, " first-entry @ .entry ELSE
	DUP #eruption = IF DROP ." by eruption, " .eruption ELSE
	." by ambush, " .ambush ENDIF ENDIF ENDIF
;

\ === The current position ===============================================================================
\ Example: d14: S225 under attack by eruption, S25 d6 25 x 9
: report-threat ( reason -- )
	victim-at @ .square ." : " .victim ."  under attack " .reason CR
;
: explain-victims ( -- )
	#squares 0 DO
		I squares[] @ DUP defender @ piece-of?
		IF victim-at ! taken-near DROP taken-far DROP ELSE DROP ENDIF
	LOOP
;
: explain-position ( -- )               \ first the captures of the player to move, then those of the other player
	['] report-threat IS report-reason
	current-player attack-by read-pyramids explain-victims
	current-player foe attack-by explain-victims
;

\ === Moves ==============================================================================================
\ Example: S25 c3 - d6: takes S225 d14 by eruption, S25 d6 25 x 9
VARIABLE goal
: .move ( -- ) goal @ piece-type-at .type SPACE from .square ."  - " goal @ .square ;
: report-capture ( reason -- )
	.move ." : takes " .victim SPACE victim-at @ .square SPACE .reason CR
;
: explain-move ( goal -- )
	DUP goal ! DUP put-on-goal
	-1 retest-near ! -1 retest-far !        ( -1: all victims )
	victims @ IF victims @ 0 DO I units-taken DROP LOOP ENDIF
	return-to-start
;
: explain-moves ( -- )
	['] report-capture IS report-reason ['] explain-move IS handle-goal
	#squares 0 DO
		I squares[] @ DUP current-player piece-of? IF home go-anywhere ELSE DROP ENDIF
	LOOP
	['] advance IS handle-goal
;

\ The host shows each line with the square or the move with which the line begins.
: OnExplain ( -- )
	from
	explaining OFF current-player survey
	explaining ON explain-position
	current-player attack-by explain-moves
	explaining OFF surveyed OFF
	home
;

\ Displays show these positions and variables besides the board.
: OnShow ( -- ) ." won-by pieces-taken value-taken digits-taken" ;
