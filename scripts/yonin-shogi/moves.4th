\ moves.4th: the legal moves and drops of Yonin Shogi.

\ The same words serve two purposes.  In move generation they add moves to the list.  In `can-move?` they only test
\ whether a player has a legal move.  OnNextTurn needs this test to detect a mate, but the engine's move generation
\ cannot be called there.

\ === 1 The moving piece ============================================================================

VARIABLE testing        \ TRUE: only test for a legal move
VARIABLE move-found     \ TRUE: the test has found a legal move
VARIABLE mover          \ the player
VARIABLE man            \ the piece, on the board or to be dropped
VARIABLE man-type       \ its type
VARIABLE promoted-type  \ the type that it is promoted to, or 0
VARIABLE zone           \ if it can be promoted: its row of the table of zones
VARIABLE origin         \ its square, or its position in the hand
VARIABLE test-all-pieces \ TRUE: test every move, because the king is in check or there are partners
VARIABLE test-this-piece \ TRUE: test the moves of this piece
VARIABLE only-kings     \ TRUE: the only legal moves are drops of a king (rules=capture)
VARIABLE no-list        \ TRUE: no moves are needed (search.4th)
VARIABLE last-uncapturable \ types up to this one cannot be captured: `fallen`; 0 with rules=capture

: dropping? ( -- ? ) origin @ #squares >= ;

: set-moving-piece ( piece pos -- )     \ makes this piece the moving one
	origin !
	DUP man ! DUP type-of DUP man-type !
	promoted-type[] @ DUP promoted-type ! IF facing #squares * zone[] zone ! ELSE DROP ENDIF
;

\ === 2 Legality ====================================================================================

DEFER can-move? ( player -- ? )

: exposed? ( pos -- ? )                 \ is the player or its partner in check?  pos: square of the moved piece
	DUP piece-type-at king <> IF DROP mover @ king-at ENDIF
	DUP 0< IF DROP FALSE ELSE mover @ attacked? ENDIF
	DUP NOT in-pairs @ AND IF DROP mover @ partner in-check? ENDIF
;
: mated? ( player -- ? ) DUP in-check? IF can-move? NOT ELSE DROP FALSE ENDIF ;
: mate-of-anyone? ( -- ? )
	FALSE
	mover @ next-in-order
	BEGIN                                   ( ? player )
		DUP eliminated? NOT IF DUP mated? IF SWAP DROP TRUE SWAP ENDIF ENDIF
		next-in-order DUP mover @ = 2 PICK OR
	UNTIL
	DROP
;
: pawn-rule? ( type -- ? ) pawn = dropping? AND pawn-may-mate @ NOT AND ;

\ Puts the piece on the square, tests for checks, and restores the board.
: place-piece ( pos type -- )
	mover @ OR SWAP board[] !
	origin @ board[] DUP @ dropping? IF one-fewer ELSE DROP 0 ENDIF SWAP !
;
: legal-placement? ( pos type -- ? )
	OVER piece-at >R origin @ piece-at >R
	2DUP place-piece
	OVER exposed? NOT                       ( pos type ? )
	DUP IF OVER pawn-rule? IF DROP mate-of-anyone? NOT ENDIF ENDIF
	SWAP DROP
	R> origin @ board[] ! SWAP R> SWAP board[] !
;

\ === 3 Writing a move ==============================================================================

: write-drop ( pos type -- )
	mover @ SWAP ROT create-player-piece-type-at
	from COMPILE-LITERAL COMPILE take-from-hand
	add-move
;
: write-promotion ( pos type -- )
	DUP man-type @ <> IF SWAP change-type-at ELSE 2DROP ENDIF
;
: write-capture ( pos -- )              \ the piece on pos goes into the hand
	piece-type-at DUP IF hand-kind[] @ mover @ SWAP hand COMPILE-LITERAL COMPILE add-to-hand ELSE DROP ENDIF
;
: write-move ( pos type -- )
	from 2 PICK move
	OVER SWAP write-promotion
	write-capture
	add-move
;
: write-move-or-drop ( pos type -- ) dropping? IF write-drop ELSE write-move ENDIF ;

\ Called for each move and drop of the moving piece to pos, where it becomes a piece of that type.
: add-or-test ( pos type -- )
	testing @
	IF
		move-found @ IF 2DROP ELSE legal-placement? move-found ! ENDIF
	ELSE
		test-this-piece @ IF 2DUP legal-placement? ELSE TRUE ENDIF
		IF write-move-or-drop ELSE 2DROP ENDIF
	ENDIF
;

\ === 4 Moves on the board ==========================================================================

: zone-at ( pos -- n ) CELLS zone @ + @ ;
: must-promote? ( pos -- ? ) zone-at 3 = man-type @ name-index 0= AND ;
: may-promote? ( pos -- ? ) promoted-type @ IF zone-at origin @ zone-at OR ELSE DROP FALSE ENDIF ;

: try-promotions ( pos -- )             \ with promotion, without, or both
	DUP may-promote?
	IF
		DUP promoted-type @ add-or-test
		DUP must-promote? IF DROP EXIT ENDIF
	ENDIF
	man-type @ add-or-test
;

: empty-or-capturable? ( pos -- ? )     \ empty, or can be captured
	piece-at DUP IF DUP owner-of mover @ <> SWAP type-of last-uncapturable @ > AND ELSE DROP TRUE ENDIF
;
: try-goal ( pos -- ) DUP empty-or-capturable? IF try-promotions ELSE DROP ENDIF ;

: step-by ( set -- )
	ways[] @ DUP CELLSIZE + SWAP @ CELLS OVER + SWAP
	DO
		origin @ I @ neighbour DUP 0< IF DROP ELSE try-goal ENDIF
	CELLSIZE +LOOP
;
: slide ( way -- )
	origin @
	BEGIN                                   ( way pos )
		OVER neighbour
		DUP 0< IF TRUE ELSE DUP try-goal DUP not-empty-at? ENDIF
	UNTIL
	2DROP
;
: slide-all ( -- ) 8 0 DO I way[] @ slide 2 +LOOP ;

: go-steps ( -- ) man @ step-directions 255 AND step-by ;
: go-diagonals ( -- ) #diagonal step-by ;

\ === 5 Drops =======================================================================================

\ A line of travel is a file for South and North, a rank for West and East.
: line-of ( pos player -- n ) player-index 1 AND IF 9 / ELSE 9 MOD ENDIF ;

\ One pawn for each line: the lines that have a pawn are bits of this number.
VARIABLE pawn-lines
9 [] line-bit[]
: number-lines ( -- ) 1 9 0 DO DUP I line-bit[] ! 2* LOOP DROP ;
number-lines
: find-pawn-lines ( -- )
	0
	pawn mover @ OR
	#squares 0 DO
		DUP I piece-at = IF SWAP I mover @ line-of line-bit[] @ OR SWAP ENDIF
	LOOP
	DROP pawn-lines !
;
: pawn-line-free? ( pos -- ? )
	DUP zone-at 3 = IF DROP FALSE ELSE mover @ line-of line-bit[] @ pawn-lines @ AND 0= ENDIF
;

\ A pawn drop can mate only if it gives check, or if another player is in check already.
VARIABLE other-in-check
: check-elsewhere? ( -- ? )
	FALSE mover @ next-living
	BEGIN DUP mover @ <> 2 PICK NOT AND WHILE       ( ? player )
		DUP in-check? IF SWAP DROP TRUE SWAP ENDIF next-living
	REPEAT
	DROP
;
: ahead ( pos -- pos' ) mover @ player-index 2* way[] @ neighbour ;
: gives-check? ( pos -- ? ) ahead DUP 0< IF DROP FALSE ELSE piece-type-at king = ENDIF ;
: needs-test? ( pos -- ? )              \ must a pawn drop on pos be tested?
	test-all-pieces @ pawn-may-mate @ IF SWAP DROP ELSE other-in-check @ OR SWAP gives-check? OR ENDIF
;

: drop-pawns ( -- )
	find-pawn-lines
	testing @ kings-fall @ OR NOT             ( ? )
	DUP IF check-elsewhere? other-in-check ! ENDIF
	#squares 0 DO
		I empty-at? IF
			I pawn-line-free? IF
				DUP IF I needs-test? test-this-piece ! ENDIF
				I pawn add-or-test
			ENDIF
		ENDIF
	LOOP
	DROP
;
: drop-others ( -- )
	#squares 0 DO I empty-at? IF I man-type @ add-or-test ENDIF LOOP
;
: drop-from-hand ( -- )
	man-type @ pawn = IF drop-pawns ELSE drop-others ENDIF
;

\ === 6 Generation ==================================================================================

\ Facts about all moves of a player are computed by the move word of its first piece.  OnGenerateMoves (search.4th) runs
\ before the engine chooses the player whose moves are generated, so it only sets the mover to 0.
: compute-facts ( -- )
	testing OFF
	current-player mover !
	mover @ king-at king-square !
	kings-fall @
	IF
		king-square @ 0< only-kings !
		test-all-pieces OFF
	ELSE
		only-kings OFF
		mover @ in-check? in-pairs @ OR test-all-pieces !
		mover @ defended-player ! find-pins
	ENDIF
;
: begin-move ( piece -- )
	no-list @ NOT verify
	from set-moving-piece
	mover @ current-player <> IF compute-facts ENDIF
	only-kings @ man-type @ king <> AND NOT verify
;
: begin-step ( -- )
	current-piece begin-move
	test-all-pieces @ man-type @ king = OR from pinned? OR kings-fall @ NOT AND test-this-piece !
;
: slide-moves ( -- ) begin-step slide-all ;
: step-moves ( -- ) begin-step go-steps ;
: diagonal-moves ( -- ) begin-step go-diagonals ;
: drop-moves ( -- )
	from kind-in drop-type current-player OR begin-move
	test-all-pieces @ test-this-piece !
	drop-from-hand
;

\ A move of ?Lot puts a lot on the urn; the lot's owner is the player that moves first.
: lot-moves ( -- )
	4 0 DO I 1+ $EncodePlayer lot urn create-player-piece-type-at add-move LOOP
;

' slide-moves IS slides
' step-moves IS steps
' diagonal-moves IS diagonals
' drop-moves IS drops
' lot-moves IS lot-draws

\ === 7 Test for a legal move =======================================================================

: test-piece ( pos -- )
	DUP piece-at SWAP set-moving-piece
	man @ slider? IF slide-all man-type @ dragon = IF go-diagonals ENDIF ELSE go-steps ENDIF
;
: test-board ( -- )
	0
	BEGIN
		DUP piece-at DUP owner-of mover @ = SWAP step-directions AND IF DUP test-piece ENDIF
		1+ DUP #squares = move-found @ OR
	UNTIL
	DROP
;
: test-hand ( -- )
	#kinds 1- 0 DO
		mover @ I hand
		DUP not-empty-at? move-found @ NOT AND
		IF I drop-type mover @ OR SWAP set-moving-piece drop-from-hand ELSE DROP ENDIF
	LOOP
;
\ The test calls itself: a pawn drop is legal only if it does not mate, so all replies are tested, and a reply may be a
\ pawn drop.  So the variables are saved and restored.
: has-move? ( player -- ? )
	mover @ >R testing @ >R man @ >R origin @ >R pawn-lines @ >R move-found @ >R
	mover ! testing ON move-found OFF
	test-board
	move-found @ NOT IF test-hand ENDIF
	move-found @
	R> move-found ! R> pawn-lines ! R> R> SWAP set-moving-piece R> testing ! R> mover !
;
' has-move? IS can-move?
