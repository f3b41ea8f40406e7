\ Remarks of Rhythmomachia 2: the arithmetic by which each attack lowers a rating.

\ Owns only the wording.  It generates the attacks again, with `.attack` in place of `attack`.

: .target ( -- ) target-position @ original-type .type ;
: .arithmetic ( n -- )                  \ 25 x 9 = 225, 36 / 3 = 12, or by its own 12
	entry-used @ @ .number
	attack-sign @ ASCII = = IF DROP ."  in its reach" ELSE
	SPACE attack-sign @ EMIT SPACE field-distance @ .number ."  = " .number ENDIF
;
: .outcome ( n -- )
	." : " DUP target-strength @ = IF ." takes " ELSE ." lowers " ENDIF
	.target ."  by " DUP .arithmetic
	DUP target-strength @ = IF DROP ELSE
	." , " target-strength @ SWAP - .number ."  of " target-strength @ .number ."  left" ENDIF
;
\ The line begins with the move's text: White S25 c3 x d14, or White S25 c3 = (36) on d14
: .attack ( n -- )
	$playerName @ TYPE SPACE from piece-type-at .type SPACE from .square
	target-strength @ OVER = IF ."  x " ELSE ."  = (" target-strength @ OVER - .number ." ) on " ENDIF
	target-position @ .square
	.outcome CR
;
: explain-attacks ( -- )
	prepare ['] .attack IS handle-attack
	#squares 0 DO I squares[] @ DUP friend-at? IF home try-targets ELSE DROP ENDIF LOOP
	['] attack IS handle-attack
;
: OnExplain ( -- )
	from
	asked @ victory @ OR 0= IF explain-attacks ENDIF
	home
;
