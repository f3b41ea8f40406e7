\ Explanations for Rhythmomachia 2: by what arithmetic each attack lowers a rating.

\ Owns only the wording.  The attacks are worked out once more, with another word in the place of `attack`.

: .target ( -- ) place @ own-type .type ;
: .arithmetic ( n -- )                  \ 25 x 9 = 225, 36 / 3 = 12, or by its own 12
	mean @ @ .number
	how @ ASCII = = IF DROP ."  in its reach" ELSE
	SPACE how @ EMIT SPACE gap @ .number ."  = " .number ENDIF
;
: .outcome ( n -- )
	." : " DUP strength @ = IF ." takes " ELSE ." lowers " ENDIF
	.target ."  by " DUP .arithmetic
	DUP strength @ = IF DROP ELSE ." , " strength @ SWAP - .number ."  of " strength @ .number ."  left" ENDIF
;
\ The line begins with the move's text: White S25 c3 x d14, or White S25 c3 = (36) on d14
: .attack ( n -- )
	$playerName @ TYPE SPACE from piece-type-at .type SPACE from .square
	strength @ OVER = IF ."  x " ELSE ."  = (" strength @ OVER - .number ." ) on " ENDIF
	place @ .square
	.outcome CR
;
: explain-attacks ( -- )
	prepare ['] .attack IS deal
	#squares 0 DO I squares[] @ DUP friend-at? IF home try-targets ELSE DROP ENDIF LOOP
	['] attack IS deal
;
: OnExplain ( -- )
	from
	asked @ victory @ OR 0= IF explain-attacks ENDIF
	home
;
