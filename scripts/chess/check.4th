\ Is a square attacked?  Which pieces are pinned?  May a piece leave its square?

\ These words scan outward from one square, usually the king's, instead of making moves: a rook attacks the
\ king if it is the first piece on a row or column from the king.

VARIABLE us                             \ the owner of the king
VARIABLE them                           \ the other player
VARIABLE king                           \ the king's square, -1 without a king

: find-king ( -- )
	-1 us @ KING OR                         ( where piece )
	#squares 0 DO
		I piece-at OVER = IF SWAP DROP I SWAP LEAVE ENDIF
	LOOP
	DROP king !
;
: side ( player -- ) DUP us ! other them ! find-king ;

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
: line? ( 'dir -- ? ) target @ to first-piece them @ - DUP ROOK = SWAP QUEEN = OR ;
: diagonal? ( 'dir -- ? ) target @ to first-piece them @ - DUP BISHOP = SWAP QUEEN = OR ;
: by? ( 'dir type -- ? ) target @ to SWAP EXECUTE IF piece them @ - = ELSE DROP FALSE ENDIF ;

: by-slider? ( -- ? )
	['] n  line?     ['] e  line?     OR ['] s  line?     OR ['] w  line?     OR
	['] ne diagonal? OR ['] se diagonal? OR ['] sw diagonal? OR ['] nw diagonal? OR
;
: by-knight? ( -- ? )
	['] nne KNIGHT by? ['] ene KNIGHT by? OR ['] ese KNIGHT by? OR ['] sse KNIGHT by? OR
	['] ssw KNIGHT by? OR ['] wsw KNIGHT by? OR ['] wnw KNIGHT by? OR ['] nnw KNIGHT by? OR
;
: by-king? ( -- ? )
	['] n KING by? ['] ne KING by? OR ['] e KING by? OR ['] se KING by? OR
	['] s KING by? OR ['] sw KING by? OR ['] w KING by? OR ['] nw KING by? OR
;
: by-pawn? ( -- ? )                     \ enemy pawns attack from the direction in which own pawns move
	us @ White =
	IF ['] nw PAWN by? ['] ne PAWN by? ELSE ['] sw PAWN by? ['] se PAWN by? ENDIF OR
;

: attacked? ( pos -- ? )                \ by the other player; keeps `here`
	here SWAP target !
	by-slider? IF TRUE ELSE by-knight? by-pawn? OR by-king? OR ENDIF
	SWAP to
;
: in-check? ( -- ? ) king @ 0< IF FALSE ELSE king @ attacked? ENDIF ;

\ --- facts computed once for each generation of moves -----------------------------------------------

VARIABLE facts-for                      \ the player for whom the facts below are valid
VARIABLE checked                        \ its king is in check
#squares [] pinned[]                    \ its pieces that must not leave the line of their king
VARIABLE prize                          \ the value of the best capture found so far

\ If an own piece is followed by an enemy slider of that type or a queen, it is pinned.
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

\ Moves may be generated for either player, so the first move word of a generation computes the facts.
: look-around ( -- )
	current-player facts-for ! prize OFF
	current-player side
	in-check? checked !
	king @ 0< IF 0 pinned[] #squares CELLS ERASE ELSE find-pins ENDIF
	back
;
: prepare ( -- ) facts-for @ current-player <> IF look-around ENDIF ;
: OnGenerateMoves ( -- ) facts-for OFF ;

\ --- legality --------------------------------------------------------------------------------------

\ A move must be tested only in check or with a pinned piece: the test changes cells and restores them.
: put-cell ( piece pos -- ) board[] ! ;

: exposed? ( pos pos' -- ? )            \ would the king be attacked if the piece on pos were on pos'?
	king @ 0< IF 2DROP FALSE EXIT ENDIF
	DUP piece-at >R
	OVER piece-at OVER put-cell 0 2 PICK put-cell
	king @ attacked? ROT ROT                ( ? pos pos' )
	DUP piece-at ROT put-cell                    ( ? pos' )
	R> SWAP put-cell
;
: safe? ( -- ? )                        \ from `from` to `here`
	checked @ from pinned[] @ OR IF from here exposed? NOT ELSE TRUE ENDIF
;

\ The king is removed from the board for the test, so that it does not block attacks on its goal.
: safe-for-king? ( -- ? )
	from piece-at 0 from put-cell
	here attacked? NOT
	SWAP from put-cell
;
