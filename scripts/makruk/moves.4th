\ Moves.

VARIABLE best-capture                   \ for the evaluation: the estimated gain of the best capture

\ If the enemy attacks the square, the capturing piece counts as lost.
: note-capture ( pos -- )
	DUP piece-at piece-value                ( pos gain )
	DUP best-capture @ > IF
		OVER mover @ opponent attacked? IF current-piece piece-value - ENDIF
		DUP best-capture @ MAX best-capture !
	ENDIF
	2DROP
;

\ A pawn becomes a met on the sixth rank, where the enemy pawns began.
: rank-for ( pos player -- n ) SWAP 8 / SWAP White = IF 7 SWAP - ENDIF ;        \ 0 is the player's first rank
: promoted? ( pos -- ? ) mover @ rank-for 5 = current-piece-type pawn = AND ;
: write-move ( pos -- )
	from OVER move
	DUP promoted? IF met OVER change-type-at ENDIF
	mover @ COMPILE-LITERAL
	DUP not-empty-at? IF note-capture COMPILE count-capture ELSE DROP COMPILE count-move ENDIF
	add-move
;
: try-safe ( pos -- ) from OVER safe-move? IF write-move ELSE DROP ENDIF ;
: try-move ( pos -- )
	DUP player-at DUP mover @ = IF 2DROP EXIT ENDIF
	0= current-piece-type pawn = AND IF DROP EXIT ENDIF     \ a pawn reaches other squares only by captures
	try-safe
;
' try-move IS try-target
: generate-moves ( -- ) prepare from all-targets ;
' generate-moves IS board-moves

: step-ahead ( -- )
	prepare
	from mover @ White = IF 0 ELSE 1 ENDIF neighbour
	DUP 0< IF DROP EXIT ENDIF
	DUP empty-at? IF try-safe ELSE DROP ENDIF
;
' step-ahead IS pawn-step
