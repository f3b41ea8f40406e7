\ Ratings of the pieces and pyramids of Rhythmomachia 2, full and lowered.

\ Owns the representation of lowered ratings on the board.

\ A piece whose rating was lowered has the type of that rating; its original type is its attribute, the upper half
\ of the cell.
: lowered? ( pos -- ? ) piece-at 65535 > ;
: own-type ( pos -- type )              \ the original type, whether the rating is lowered or not
	piece-at DUP 65535 > IF 65536 / ELSE #PieceType AND ENDIF
;
: full-rating ( pos -- n ) own-type value-of[] @ ;
: rating ( pos -- n )
	DUP lowered? IF piece-type-at #unrated - ELSE full-rating ENDIF
;

: replace-piece ( piece pos -- ) DUP (remove-piece) (add-piece) ;
: keep-type ( pos -- )                  \ stores the original type as attribute, before the rating is lowered
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
