\ Is a square attacked?  Which pieces are pinned?  May a piece leave its square?

\ These words scan outward from one square, usually the king's, instead of making moves: a rook attacks the
\ king if it is the first piece on a row or column from the king.  `here` is the square that the scan has reached;
\ the library word `to` ( pos -- ) sets it.

VARIABLE us                             \ the owner of the king
VARIABLE them                           \ the other player
VARIABLE king                           \ the king's square, -1 without a king

: find-king ( -- )
	-1 us @ KING OR                         ( pos piece )
	#squares 0 DO
		I piece-at OVER = IF SWAP DROP I SWAP LEAVE ENDIF
	LOOP
	DROP king !
;
: set-sides ( player -- ) DUP us ! other them ! find-king ;     \ sets us, them and king

VARIABLE target                         \ the square from which the scan starts

\ The first piece in a direction, 0 if there is none; `here` is its square then.
: first-piece ( 'dir -- piece )
	BEGIN
		DUP EXECUTE NOT IF DROP 0 EXIT ENDIF
		piece DUP NOT
	WHILE DROP REPEAT
	SWAP DROP
;

\ An enemy piece minus `them` is its type; for any other cell the difference is not a type.
: line-attacker? ( 'dir -- ? ) target @ to first-piece them @ - DUP ROOK = SWAP QUEEN = OR ;
: diagonal-attacker? ( 'dir -- ? ) target @ to first-piece them @ - DUP BISHOP = SWAP QUEEN = OR ;
: attacker-at? ( 'dir type -- ? ) target @ to SWAP EXECUTE IF piece them @ - = ELSE DROP FALSE ENDIF ;

: attacked-by-slider? ( -- ? )
	['] n  line-attacker?        ['] e  line-attacker?     OR
	['] s  line-attacker?     OR ['] w  line-attacker?     OR
	['] ne diagonal-attacker? OR ['] se diagonal-attacker? OR
	['] sw diagonal-attacker? OR ['] nw diagonal-attacker? OR
;
: attacked-by-knight? ( -- ? )
	['] nne KNIGHT attacker-at?    ['] ene KNIGHT attacker-at? OR
	['] ese KNIGHT attacker-at? OR ['] sse KNIGHT attacker-at? OR
	['] ssw KNIGHT attacker-at? OR ['] wsw KNIGHT attacker-at? OR
	['] wnw KNIGHT attacker-at? OR ['] nnw KNIGHT attacker-at? OR
;
: attacked-by-king? ( -- ? )
	['] n KING attacker-at?    ['] ne KING attacker-at? OR
	['] e KING attacker-at? OR ['] se KING attacker-at? OR
	['] s KING attacker-at? OR ['] sw KING attacker-at? OR
	['] w KING attacker-at? OR ['] nw KING attacker-at? OR
;
: attacked-by-pawn? ( -- ? )            \ enemy pawns attack from the direction in which own pawns move
	us @ White =
	IF ['] nw PAWN attacker-at? ['] ne PAWN attacker-at? ELSE ['] sw PAWN attacker-at? ['] se PAWN attacker-at? ENDIF
	OR
;

: attacked? ( pos -- ? )                \ by the other player; keeps `here`
	here SWAP target !
	attacked-by-slider? IF TRUE ELSE attacked-by-knight? attacked-by-pawn? OR attacked-by-king? OR ENDIF
	SWAP to
;
: in-check? ( -- ? ) king @ 0< IF FALSE ELSE king @ attacked? ENDIF ;

\ --- facts computed once for each generation of moves -----------------------------------------------

VARIABLE facts-for                      \ the player for whom the facts below are valid, or 0
VARIABLE checked                        \ its king is in check
#squares [] pinned[]                    \ by square: TRUE if a piece of the player shields its king there
VARIABLE best-capture                   \ the estimated gain of the best capture found so far

\ An own piece is pinned if the next piece behind it, seen from the king, is an enemy queen or an enemy piece of the
\ type, rook or bishop, that moves in this direction.
: pin ( 'dir type -- )
	king @ to
	OVER first-piece #Player AND us @ =
	IF
		here ROT first-piece them @ -              ( type mine type' )
		ROT OVER = SWAP QUEEN = OR SWAP pinned[] !
	ELSE 2DROP ENDIF
;
: find-pins ( -- )
	0 pinned[] #squares CELLS ERASE
	['] n  ROOK   pin ['] e  ROOK   pin ['] s  ROOK   pin ['] w  ROOK   pin
	['] ne BISHOP pin ['] se BISHOP pin ['] sw BISHOP pin ['] nw BISHOP pin
;

\ The engine may generate moves for a player that is not to move.  Only the move words know the player, so the first
\ move word of a generation computes the facts.
: compute-facts ( -- )
	current-player facts-for ! best-capture OFF
	current-player set-sides
	in-check? checked !
	king @ 0< IF 0 pinned[] #squares CELLS ERASE ELSE find-pins ENDIF
	back
;
: prepare ( -- ) facts-for @ current-player <> IF compute-facts ENDIF ;
: OnGenerateMoves ( -- ) facts-for OFF ;

\ --- legality --------------------------------------------------------------------------------------

: put-cell ( piece pos -- ) board[] ! ; \ for a test, which restores the cell afterwards

: exposed? ( pos pos' -- ? )            \ would the king be attacked if the piece on pos were on pos'?
	king @ 0< IF 2DROP FALSE EXIT ENDIF
	DUP piece-at >R
	OVER piece-at OVER put-cell 0 2 PICK put-cell
	king @ attacked? ROT ROT                ( ? pos pos' )
	DUP piece-at ROT put-cell                    ( ? pos' )
	R> SWAP put-cell
;
\ Is the move from `from` to `here` legal?  It can expose the king only in check or if the piece is pinned.
: safe? ( -- ? )
	checked @ from pinned[] @ OR IF from here exposed? NOT ELSE TRUE ENDIF
;

\ May the king move from `from` to `here`?  The king is removed from the board for the test, so that it does not block
\ attacks on `here`.
: safe-for-king? ( -- ? )
	from piece-at 0 from put-cell
	here attacked? NOT
	SWAP from put-cell
;
