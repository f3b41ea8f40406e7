\ Pieces in hand, and promotion.

\ --- kinds and promotions --------------------------------------------------------------------------

#PieceType 1+ [] promoted-type[]        \ the type to which a type is promoted, or 0
#PieceType 1+ [] kind[]                 \ the kind that a type has in hand
#kinds [] dropped-type[]                \ the type that is dropped
0 promoted-type[] #PieceType CELLS ERASE

VARIABLE kinds-listed
kinds-listed OFF
: hand-kind ( type -- )                 \ the next kind, in the order of the positions of a hand
	kinds-listed @ OVER kind[] ! kinds-listed @ dropped-type[] ! kinds-listed ++
;
: promotes ( type promoted -- ) 2DUP SWAP promoted-type[] ! SWAP kind[] @ SWAP kind[] ! ;

: type-of ( piece -- type ) #PieceType AND ;
: rank-for ( pos player -- n )          \ ranks beyond pos, seen from the player
	SWAP #files / SWAP White = IF #ranks 1- SWAP - ENDIF
;
: in-zone? ( pos player -- ? ) rank-for #zone < ;

\ May a piece never move from this square?  Such a pawn, lance or knight must be promoted, and is not dropped there.
: stuck? ( pos piece -- ? )
	near[] @                                ( pos set )
	way-count @
	BEGIN 1- DUP 0< NOT WHILE               ( pos set n )
		2DUP bit[] @ AND IF 2 PICK OVER neighbour 0< NOT IF 2DROP DROP FALSE EXIT ENDIF ENDIF
	REPEAT
	2DROP DROP TRUE
;

\ --- hands -----------------------------------------------------------------------------------------

: hand ( player kind -- pos ) SWAP player-index #kinds * + Black-pawn + ;
: kind-at ( pos -- kind ) Black-pawn - #kinds MOD ;
: count-in-hand ( pos -- n ) piece-type-at DUP IF x1 - 1+ ENDIF ;

\ Moves call these two words when they are made.
: take-from-hand ( pos -- )
	DUP piece-at OVER (remove-piece)
	DUP type-of x1 = IF 2DROP ELSE 1- SWAP (add-piece) ENDIF
;
: add-to-hand ( player kind -- )
	2DUP hand                               ( player kind pos )
	DUP piece-at DUP IF DUP type-of most-in-hand <> IF 1+ ENDIF OVER (remove-piece) ELSE DROP 2 PICK x1 OR ENDIF
	SWAP (add-piece) 2DROP
;
