\ What pieces of Rhythmomachia 2 are worth: ratings, lowered and full, and pyramids.

\ Owns how a lowered piece is kept on the board.

\ A piece that was lowered has the type of its rating; its own type is its attribute, the upper half of the cell.
: lowered? ( pos -- ? ) piece-at 65535 > ;
: own-type ( pos -- type )              \ whether lowered or not
	piece-at DUP 65535 > IF 65536 / ELSE #PieceType AND ENDIF
;
: full-rating ( pos -- n ) own-type value-of[] @ ;
: rating ( pos -- n )
	DUP lowered? IF piece-type-at #unrated - ELSE full-rating ENDIF
;

: put-instead ( piece pos -- ) DUP (remove-piece) (add-piece) ;
: keep-type ( pos -- )                  \ before it is lowered
	DUP lowered? IF DROP ELSE
	DUP piece-at DUP #PieceType AND 65536 * OR SWAP put-instead ENDIF
;
: restore ( pos -- )
	DUP lowered? IF
		DUP piece-at DUP 65536 / SWAP #Player AND OR SWAP put-instead
	ELSE DROP ENDIF
;

\ === Pyramids =========================================================================================
: sum-of-parts ( side -- n )
	0 #parts 0 DO OVER I SWAP part-home full-rating + LOOP SWAP DROP
;
: parts-left ( side -- n )
	0 #parts 0 DO OVER I SWAP part-home not-empty-at? - LOOP SWAP DROP
;
