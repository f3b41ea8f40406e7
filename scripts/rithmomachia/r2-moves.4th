\ The list of moves of Rhythmomachia 2: moves of pieces, attacks, ends of turns, swaps.

\ All but the last move of a turn are partial moves, so that the same player continues.

\ The base game's `go` and `go-pyramid` call `handle-goal` with each goal of a piece.
: step-to ( goal -- )
	partial
	from OVER move
	from COMPILE-LITERAL COMPILE-LITERAL COMPILE move-made
	add-move
;
' step-to IS handle-goal
: step-anywhere ( -- )
	went-to @ 0= IF from piece-type-at class-of[] @ DUP #pyramid = IF DROP go-pyramid ELSE go ENDIF ENDIF
;

\ During a swap decision (see r2-turn.4th) the moves are those of twins to the position of the lost part.  They are
\ generated at the pyramid's square, because twins with a lowered rating have no move words.
: offer-twin ( pos -- )                 \ the piece on pos moves to the part's position
	DUP asked @ 1- move
	COMPILE-LITERAL COMPILE swap-in
	add-move
;
: offer-twins ( -- )
	#squares 0 DO
		I squares[] @ DUP friend-at?
		IF DUP original-type asked-type @ = IF DUP offer-twin ENDIF ENDIF
		DROP
	LOOP
;
: decide-swap ( -- )
	from piece-type-at class-of[] @ #pyramid =
	IF offer-twins COMPILE decline Pass ENDIF
;

\ Facts that all pieces need are computed for the first piece.  Captures by siege and the end of the turn belong to no
\ single piece; they are added after the moves of the last piece.
VARIABLE prepared                       \ the player for which the facts are valid, or 0
VARIABLE last-own                       \ the square of the last own piece
: find-last ( -- ) #squares 0 DO I squares[] @ DUP friend-at? IF last-own ! ELSE DROP ENDIF LOOP ;
: prepare ( -- )
	find-last
	current-player attack-by attacker @ side-of read-pyramid
	asked @ 0= IF number-attackers list-targets ENDIF
;
: prepare-if-needed ( -- )
	prepared @ current-player <> IF current-player prepared ! prepare ENDIF
;
: OnGenerateMoves ( -- ) prepared OFF ;

: act-in-turn ( -- )
	step-anywhere try-targets
	from last-own @ = IF surround-all COMPILE end-turn Pass ENDIF
;
\ After a victory there are no moves: the empty list ends the turn, and the engine calls OnIsGameOver.
: take-turn ( -- )                      \ the only move word
	from on-board? verify victory @ 0= verify prepare-if-needed
	asked @ IF decide-swap ELSE act-in-turn ENDIF
;

\ The host ignores the variables cleared here when it compares positions: they are computed for each move list.
: OnForget ( -- )
	forget-survey
	0 target-at[] #targets CELLS ERASE 0 target-on[] #targets CELLS ERASE
	0 target-rating[] #targets CELLS ERASE
	0 handled[] 64 CELLS ERASE 0 bit-of-attacker[] #grid CELLS ERASE
	attack-values 32 CELLS ERASE
	targets OFF target-position OFF target-square OFF target-strength OFF
	field-distance OFF entry-used OFF attack-sign OFF last-own OFF
;
