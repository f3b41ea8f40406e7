\ Ratings of the pieces and pyramids of Rhythmomachia 2, full and lowered.

\ Owns the representation of lowered ratings on the board.

\ A piece whose rating was lowered has the type of that rating: see r2-ratings.4th.  Its original type is its attribute,
\ the upper 16 bits of the cell.  Other pieces have no attribute, so their cells are at most 65535.
: lowered? ( pos -- ? ) piece-at 65535 > ;
: original-type ( pos -- type )         \ the original type, whether the rating is lowered or not
	piece-at DUP 65535 > IF 65536 / ELSE #PieceType AND ENDIF
;
: full-rating ( pos -- n ) original-type value-of[] @ ;
: rating ( pos -- n )
	DUP lowered? IF piece-type-at #unrated - ELSE full-rating ENDIF
;

: replace-piece ( piece pos -- ) DUP (remove-piece) (add-piece) ;
: store-original-type ( pos -- )        \ stores the original type as attribute, before the rating is lowered
	DUP lowered? IF DROP ELSE
	DUP piece-at DUP #PieceType AND 65536 * OR SWAP replace-piece ENDIF
;
: restore ( pos -- )
	DUP lowered? IF
		DUP piece-at DUP 65536 / SWAP #Player AND OR SWAP replace-piece
	ELSE DROP ENDIF
;

\ === Pyramids =========================================================================================
: sum-of-parts ( side -- n )
	0 #parts 0 DO OVER I SWAP part-home full-rating + LOOP SWAP DROP
;
: parts-left ( side -- n )
	0 #parts 0 DO OVER I SWAP part-home not-empty-at? - LOOP SWAP DROP
;
