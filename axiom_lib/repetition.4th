\ repetition.4th: how often the current position has occurred.  A part of the library for any game: LOAD repetition.4th

\ A game calls `forget-positions` in OnNewGame, and `note-position` in OnGenerateMoves.  Afterwards, for instance in
\ OnIsGameOver, `occurrences @` is the number of occurrences.  Positions are equal if their pieces (with attributes) and
\ the player to move are; variables of the board are not compared.

\ The kernel has a stack of positions.  When a position is pushed, the kernel counts its occurrences in the stack.
\ The kernel does not notice that a move is undone, for instance by a search.  Therefore the words below first remove
\ the positions of the current turn and of later turns.  The remaining positions are those on the path to the
\ current position, even after moves were made and undone.
VARIABLE noted                          \ number of positions in the stack
VARIABLE turns-before-first             \ number of turns before the first position in the stack
VARIABLE occurrences                    \ occurrences of the current position, including the current one
16000 CONSTANT #noted-limit             \ less than the capacity of the kernel's stack, 16384

: index-in-stack ( -- n ) turn-number turns-before-first @ - ;
: forget-later ( -- )
	BEGIN noted @ DUP IF index-in-stack >= ENDIF WHILE
		repetition-pop-position noted --
	REPEAT
;
: begin-stack ( -- ) noted @ 0= IF turn-number 1- turns-before-first ! ENDIF ;
: note-position ( -- )
	forget-later begin-stack
	noted @ #noted-limit <
	IF repetition-push-position occurrences ! noted ++ ELSE 1 occurrences ! ENDIF
;
: forget-positions ( -- ) repetition-reset noted OFF ;
