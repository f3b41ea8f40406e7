\ The number of occurrences of the position on the board, for any game: each position is stored before its
\ moves are made.

\ The kernel has a stack of positions and counts the occurrences of a new one in it.  It does not notice moves
\ that are undone, for instance by a search.  Therefore these words count the stored positions, and before a
\ position is stored, they remove those of its turn and of later turns.  The remaining positions are those on
\ the path to it, even after moves were made and undone.
VARIABLE noted                          \ number of stored positions
VARIABLE turns-before                   \ turns before the first position noted
VARIABLE occurrences                    \ occurrences of the position on the board, including this one
16000 CONSTANT #noted-most              \ the stack has room for 16384

: index-in-stack ( -- n ) turn-number turns-before @ - ;
: forget-later ( -- )
	BEGIN noted @ DUP IF index-in-stack >= ENDIF WHILE
		repetition-pop-position noted --
	REPEAT
;
: begin-stack ( -- ) noted @ 0= IF turn-number 1- turns-before ! ENDIF ;
: note-position ( -- )
	forget-later begin-stack
	noted @ #noted-most <
	IF repetition-push-position occurrences ! noted ++ ELSE 1 occurrences ! ENDIF
;
