\ check.4th: attacks on a square of Yonin Shogi, and the squares of the kings.

\ Attacks on a king are found without generating moves, by scanning outward from its square.  In each direction an
\ adjacent piece attacks if it captures in the opposite direction; the first piece on a straight line attacks if it is a
\ rook or a dragon.

\ === 1 Attack ======================================================================================

VARIABLE defended-player                \ the player whose square is tested; its own pieces do not attack it

: hostile? ( piece -- ? ) owner-of defended-player @ <> ;

\ The first occupied square in that direction, or -1.
: first-occupied ( pos way -- pos' )
	SWAP
	BEGIN                                   ( way pos )
		OVER neighbour
		DUP 0< IF TRUE ELSE DUP not-empty-at? ENDIF
	UNTIL
	SWAP DROP
;
: far-threat? ( pos way -- ? )
	first-occupied DUP 0< IF DROP FALSE ELSE piece-at DUP slider? SWAP hostile? AND ENDIF
;

\ Is the square attacked from direction n?  The even directions are the straight ones.
: threat? ( pos n -- ? )
	DUP >R way[] @ SWAP OVER neighbour         ( way pos' )
	DUP 0< IF 2DROP R> DROP FALSE EXIT ENDIF
	DUP piece-at DUP
	IF                                      ( way pos' piece )
		SWAP DROP SWAP DROP
		DUP step-directions R> back-bit[] @ AND SWAP hostile? AND EXIT
	ENDIF
	DROP SWAP R> 1 AND IF 2DROP FALSE ELSE far-threat? ENDIF
;
: attacked? ( pos player -- ? )         \ by a piece of another owner?
	defended-player !
	8 0 DO DUP I threat? IF DROP -1 LEAVE ENDIF LOOP
	0<
;

\ === 2 Kings =======================================================================================

\ The last known squares of the kings.  They are not stored on the board and may be out of date: if a king is
\ not on its last known square, all squares are searched.
4 [] last-king-squares[]
: king-of ( player -- piece ) king OR ;
: search-king ( player -- pos )         \ -1 if it is not on the board
	king-of -1
	#squares 0 DO I piece-at 2 PICK = IF DROP I LEAVE ENDIF LOOP
	SWAP DROP
;
: king-at ( player -- pos )
	DUP player-index last-king-squares[]              ( player addr )
	DUP @ piece-at 2 PICK king-of =
	IF SWAP DROP @ ELSE SWAP search-king DUP 0< IF SWAP DROP ELSE DUP ROT ! ENDIF ENDIF
;
: in-check? ( player -- ? )
	DUP king-at DUP 0< IF 2DROP FALSE ELSE SWAP attacked? ENDIF
;

\ === 3 Players in the game =========================================================================

: out-mark ( player -- pos ) player-index South-out + ;
: eliminated? ( player -- ? ) out-mark not-empty-at? ;
: next-in-order ( player -- player' ) DUP East = IF DROP South ELSE #PlayerBase + ENDIF ;
: partner ( player -- player' ) next-in-order next-in-order ;
: next-living ( player -- player' ) BEGIN next-in-order DUP eliminated? NOT UNTIL ;
: contestant? ( player -- ? ) East <= ;         \ not the random player

\ === 4 Pins ========================================================================================

\ A pinned piece is the only one between its king and a hostile rook or dragon.
4 [] pinned[]                           \ its square for each straight direction, or -1
VARIABLE king-square                    \ the king's square

: pinned-piece ( way -- pos )
	king-square @ OVER first-occupied             ( way pos )
	DUP 0< IF SWAP DROP EXIT ENDIF
	DUP piece-at hostile? IF 2DROP -1 EXIT ENDIF
	SWAP OVER SWAP far-threat? NOT IF DROP -1 ENDIF
;
: find-pins ( -- )                      \ of pieces of defended-player, to king-square
	4 0 DO
		king-square @ 0< IF -1 ELSE I 2* way[] @ pinned-piece ENDIF
		I pinned[] !
	LOOP
;
: pinned? ( pos -- ? )
	DUP 0 pinned[] @ = OVER 1 pinned[] @ = OR
	OVER 2 pinned[] @ = OR SWAP 3 pinned[] @ = OR
;
