\ custodial.4th: a move captures the enemies that it encloses.  A part of the library for any game: LOAD custodial.4th

\ The game loads it after the directions n, s, e and w.  A move word brings its piece to `here`, then `capture-enclosed`
\ adds the captures: of each enemy next to `here` with, behind it in the same line, another piece of the player or a
\ hostile position.  A game may replace two words:  ' corner? IS hostile?  and  ' my-rule IS captured?

VARIABLE goal                           \ the position to which the piece moves; the board still shows it on its old one
VARIABLE prey                           \ the position of an enemy next to the goal

: nowhere? ( -- ? ) FALSE ;
DEFER hostile? ( -- ? )                 \ does `here` help the player to capture, without a piece of the player?
' nowhere? IS hostile?

: from-prey ( 'dir -- ? ) prey @ to EXECUTE ;
: other-friend? ( -- ? ) friend? here from <> AND ;     \ a piece of the player that does not move
: enclosed? ( 'dir -- ? ) from-prey other-friend? hostile? OR AND ;

DEFER captured? ( 'dir -- ? )           \ is the enemy on `prey`, in this direction from the goal, captured?
' enclosed? IS captured?

\ For a `captured?` of the game: has the enemy on `prey` pieces of the player or hostile positions on all four sides?
: closed? ( 'dir -- ? ) from-prey here goal @ = other-friend? OR hostile? OR AND ;
: surrounded? ( -- ? ) ['] n closed? ['] s closed? AND ['] e closed? AND ['] w closed? AND ;

: enclose ( 'dir -- )
	goal @ to DUP EXECUTE enemy? AND IF
		here prey ! captured? IF prey @ capture-at ENDIF
	ELSE DROP ENDIF
;
: capture-enclosed ( -- )               \ by the piece that moves to `here`
	here goal !
	['] n enclose ['] s enclose ['] e enclose ['] w enclose
	goal @ to
	goal OFF prey OFF                   \ so that equal positions have equal memory
;
