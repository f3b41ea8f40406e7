\ How often has the position on the board stood?  For any game: each position is noted before its moves are
\ made.

\ The kernel keeps a pile of positions and says how often a new one lies in it.  It knows nothing of moves
\ taken back, by a search for instance: so we count what lies there, and before a position is noted, all go
\ that belong to its turn or later ones.  What is left are the positions on the way to it, whoever makes and
\ takes back moves, and how.
VARIABLE noted
VARIABLE turns-before                   \ turns before the first position noted
VARIABLE occurrences                    \ how often the position on the board has stood, this time included
16000 CONSTANT #noted-most              \ the pile has room for 16384

: place-in-pile ( -- n ) turn-number turns-before @ - ;
: forget-later ( -- )
	BEGIN noted @ DUP IF place-in-pile >= ENDIF WHILE
		repetition-pop-position noted --
	REPEAT
;
: begin-pile ( -- ) noted @ 0= IF turn-number 1- turns-before ! ENDIF ;
: note-position ( -- )
	forget-later begin-pile
	noted @ #noted-most <
	IF repetition-push-position occurrences ! noted ++ ELSE 1 occurrences ! ENDIF
;
