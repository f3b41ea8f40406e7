\ Moves.

VARIABLE best-capture                   \ for the evaluation: the estimated gain of the best capture

\ --- attacks by cannons and generals ---------------------------------------------------------------

: enemy-at-end? ( pos type -- ? )       \ pos may be -1
	OVER 0< IF 2DROP FALSE ELSE attacking-player @ OR SWAP piece-at = ENDIF
;
: hop-target ( pos n -- pos' )          \ the second piece that way, which a cannon captures over the first; or -1
	SWAP OVER first-occupied DUP 0< IF SWAP DROP ELSE SWAP first-occupied ENDIF
;
: cannon-attack? ( pos n -- ? ) hop-target cannon enemy-at-end? ;
\ Two generals may not face each other on a file with no piece between them, as if they attacked each other.
: faces-general? ( pos -- ? )
	DUP piece-type-at general <> IF DROP FALSE EXIT ENDIF
	DUP 0 first-occupied general enemy-at-end? SWAP 1 first-occupied general enemy-at-end? OR
;
: cannon-or-general? ( pos -- ? )
	4 BEGIN 1- DUP 0< NOT WHILE 2DUP cannon-attack? IF 2DROP TRUE EXIT ENDIF REPEAT
	DROP faces-general?
;
' cannon-or-general? IS also-attacked?

\ --- palace and river ------------------------------------------------------------------------------

: file-of ( pos -- n ) #files MOD ;
: rank-of ( pos -- n ) #files / ;       \ 0 is Black's first rank
: in-palace? ( pos -- ? )
	DUP file-of DUP 2 > SWAP 6 < AND SWAP rank-of DUP 3 < SWAP 6 > OR AND
;
: beyond-river? ( pos player -- ? ) SWAP rank-of 5 < SWAP Red = = ;     \ seen from the player
: may-go? ( pos pos' -- ? )             \ may the piece on pos be on pos'?
	OVER piece-type-at
	DUP general = OVER advisor = OR IF DROP SWAP DROP in-palace? EXIT ENDIF
	DUP elephant = IF DROP SWAP player-at beyond-river? NOT EXIT ENDIF
	soldier <> IF 2DROP TRUE EXIT ENDIF
	rank-of OVER rank-of = IF DUP player-at beyond-river? ELSE DROP TRUE ENDIF
;

\ --- legal moves -----------------------------------------------------------------------------------

\ A piece on a row or column of the general can be the only one before a chariot, or become the one over which a cannon
\ captures.  A piece diagonally next to the general can hinder a horse.  Other moves of other pieces expose it only if
\ it is in check.
: in-line? ( pos -- ? )
	DUP file-of king-square @ file-of = SWAP rank-of king-square @ rank-of = OR
;
: diagonally-next? ( pos -- ? )
	DUP file-of king-square @ file-of - ABS 1 = SWAP rank-of king-square @ rank-of - ABS 1 = AND
;
: may-expose-general? ( pos -- ? )
	in-line? from in-line? OR from diagonally-next? OR checked @ OR current-piece-type general = OR
;
: legal? ( pos -- ? ) DUP may-expose-general? IF from SWAP exposed? NOT ELSE DROP TRUE ENDIF ;

\ If the enemy attacks the point, the capturing piece counts as lost.
: note-capture ( pos -- )
	DUP piece-at piece-value                ( pos gain )
	DUP best-capture @ > IF
		OVER mover @ opponent attacked? IF current-piece piece-value - ENDIF
		DUP best-capture @ MAX best-capture !
	ENDIF
	2DROP
;
: tick ( -- ) clock ++ ;
: reset-clock ( -- ) clock OFF ;
: write-move ( pos -- )
	DUP not-empty-at? IF DUP note-capture COMPILE reset-clock ELSE COMPILE tick ENDIF
	from SWAP move
	add-move
;
: try-move ( pos -- )
	DUP player-at mover @ = IF DROP EXIT ENDIF
	from OVER may-go? NOT IF DROP EXIT ENDIF
	DUP legal? IF write-move ELSE DROP ENDIF
;
' try-move IS try-target
: generate-moves ( -- ) prepare from all-targets ;
' generate-moves IS board-moves

\ A cannon slides over empty points, and captures the second piece of a line.
: slide-along ( n -- )
	from
	BEGIN OVER neighbour DUP 0< IF FALSE ELSE DUP empty-at? ENDIF WHILE DUP try-move REPEAT
	2DROP
;
: hop-along ( n -- ) from SWAP hop-target DUP 0< IF DROP ELSE try-move ENDIF ;
: generate-cannon-moves ( -- ) prepare 4 0 DO I slide-along I hop-along LOOP ;
' generate-cannon-moves IS cannon-moves
