\ moves.4th: the legal moves and drops of Yonin Shogi.

\ The same words serve two purposes.  Called by move generation they add moves to the list.  Called by `able?`
\ they only test whether a player has a legal move.  So a mate can be detected while another player's move is
\ made, when the engine's own generation cannot be called.

\ === 1 The moving piece ============================================================================

VARIABLE testing        \ TRUE: only test for a legal move
VARIABLE found          \ TRUE: the test has found a legal move
VARIABLE mover          \ the player
VARIABLE man            \ the piece, on the board or to be dropped
VARIABLE man-type       \ its type
VARIABLE risen          \ the type that it is promoted to, or 0
VARIABLE zone           \ if it can be promoted: its row of the table of zones
VARIABLE origin         \ its square, or its position in the hand
VARIABLE careful        \ TRUE: test every move, because the king is in check or there are partners
VARIABLE closely        \ TRUE: test the moves of this piece
VARIABLE only-kings     \ TRUE: the only legal moves are drops of a king (rules=capture)
VARIABLE no-list        \ TRUE: no moves are needed (search.4th)
VARIABLE sacred         \ types up to this one cannot be captured: kings, or none with rules=capture

: dropping? ( -- ? ) origin @ #squares >= ;

: take-up ( piece pos -- )              \ makes this piece the moving one
	origin !
	DUP man ! DUP type DUP man-type !
	rise[] @ DUP risen ! IF facing #squares * zone[] zone ! ELSE DROP ENDIF
;

\ === 2 Legality ====================================================================================

DEFER able? ( player -- ? )

: exposed? ( pos -- ? )                 \ would the player or its partner be in check?  pos has the moved piece
	DUP piece-type-at king <> IF DROP mover @ king-at ENDIF
	DUP 0< IF DROP FALSE ELSE mover @ attacked? ENDIF
	DUP NOT in-pairs @ AND IF DROP mover @ partner in-check? ENDIF
;
: mated? ( player -- ? ) DUP in-check? IF able? NOT ELSE DROP FALSE ENDIF ;
: mate-of-anyone? ( -- ? )
	FALSE
	mover @ after
	BEGIN                                   ( ? player )
		DUP out? NOT IF DUP mated? IF SWAP DROP TRUE SWAP ENDIF ENDIF
		after DUP mover @ = 2 PICK OR
	UNTIL
	DROP
;
: pawn-rule? ( type -- ? ) pawn = dropping? AND pawn-may-mate @ NOT AND ;

\ Puts the piece on the square, tests for checks, and restores the board.
: put-down ( pos type -- )
	mover @ OR SWAP board[] !
	origin @ board[] DUP @ dropping? IF less ELSE DROP 0 ENDIF SWAP !
;
: allowed? ( pos type -- ? )
	OVER piece-at >R origin @ piece-at >R
	2DUP put-down
	OVER exposed? NOT                       ( pos type ? )
	DUP IF OVER pawn-rule? IF DROP mate-of-anyone? NOT ENDIF ENDIF
	SWAP DROP
	R> origin @ board[] ! SWAP R> SWAP board[] !
;

\ === 3 Writing a move ==============================================================================

: write-drop ( pos type -- )
	mover @ SWAP ROT create-player-piece-type-at
	from COMPILE-LITERAL COMPILE spend
	add-move
;
: write-promotion ( pos type -- )
	DUP man-type @ <> IF SWAP change-type-at ELSE 2DROP ENDIF
;
: write-capture ( pos -- )              \ the piece on pos goes into the hand
	piece-type-at DUP IF kind[] @ mover @ SWAP hand COMPILE-LITERAL COMPILE gain ELSE DROP ENDIF
;
: write-move ( pos type -- )
	from 2 PICK move
	OVER SWAP write-promotion
	write-capture
	add-move
;
: write ( pos type -- ) dropping? IF write-drop ELSE write-move ENDIF ;

\ Called for all moves: the piece can move there and become that type.
: offer ( pos type -- )
	testing @
	IF
		found @ IF 2DROP ELSE allowed? found ! ENDIF
	ELSE
		closely @ IF 2DUP allowed? ELSE TRUE ENDIF
		IF write ELSE 2DROP ENDIF
	ENDIF
;

\ === 4 Moves on the board ==========================================================================

: zone-at ( pos -- n ) CELLS zone @ + @ ;
: must-rise? ( pos -- ? ) zone-at 3 = man-type @ name 0= AND ;
: may-rise? ( pos -- ? ) risen @ IF zone-at origin @ zone-at OR ELSE DROP FALSE ENDIF ;

: consider ( pos -- )                   \ with promotion, without, or both
	DUP may-rise?
	IF
		DUP risen @ offer
		DUP must-rise? IF DROP EXIT ENDIF
	ENDIF
	man-type @ offer
;

: open? ( pos -- ? )                    \ empty, or can be captured
	piece-at DUP IF DUP owner mover @ <> SWAP type sacred @ > AND ELSE DROP TRUE ENDIF
;
: try ( pos -- ) DUP open? IF consider ELSE DROP ENDIF ;

: step-by ( set -- )
	ways[] @ DUP CELLSIZE + SWAP @ CELLS OVER + SWAP
	DO
		origin @ I @ beside DUP 0< IF DROP ELSE try ENDIF
	CELLSIZE +LOOP
;
: slide ( way -- )
	origin @
	BEGIN                                   ( way pos )
		OVER beside
		DUP 0< IF TRUE ELSE DUP try DUP not-empty-at? ENDIF
	UNTIL
	2DROP
;
: slide-all ( -- ) 8 0 DO I way[] @ slide 2 +LOOP ;

: go-steps ( -- ) man @ reach 255 AND step-by ;
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
: pawn-place? ( pos -- ? )
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
: ahead ( pos -- pos' ) mover @ player-index 2* way[] @ beside ;
: gives-check? ( pos -- ? ) ahead DUP 0< IF DROP FALSE ELSE piece-type-at king = ENDIF ;
: needs-test? ( pos -- ? )              \ must a pawn drop on pos be tested?
	careful @ pawn-may-mate @ IF SWAP DROP ELSE other-in-check @ OR SWAP gives-check? OR ENDIF
;

: drop-pawns ( -- )
	find-pawn-lines
	testing @ kings-fall @ OR NOT             ( ? )
	DUP IF check-elsewhere? other-in-check ! ENDIF
	#squares 0 DO
		I empty-at? IF
			I pawn-place? IF
				DUP IF I needs-test? closely ! ENDIF
				I pawn offer
			ENDIF
		ENDIF
	LOOP
	DROP
;
: drop-others ( -- )
	#squares 0 DO I empty-at? IF I man-type @ offer ENDIF LOOP
;
: drop-from-hand ( -- )
	man-type @ pawn = IF drop-pawns ELSE drop-others ENDIF
;

\ === 6 Generation ==================================================================================

\ Facts about all moves of a player are computed for the first piece that moves: OnGenerateMoves
\ (search.4th) sets the mover to 0.  (That event precedes the choice of the player whose moves are generated.)
: look-around ( -- )
	testing OFF
	current-player mover !
	mover @ king-at king-square !
	kings-fall @
	IF
		king-square @ 0< only-kings !
		careful OFF
	ELSE
		only-kings OFF
		mover @ in-check? in-pairs @ OR careful !
		mover @ ward ! find-pins
	ENDIF
;
: begin-move ( piece -- )
	no-list @ NOT verify
	from take-up
	mover @ current-player <> IF look-around ENDIF
	only-kings @ man-type @ king <> AND NOT verify
;
: begin-step ( -- )
	current-piece begin-move
	careful @ man-type @ king = OR from pinned? OR kings-fall @ NOT AND closely !
;
: slide-moves ( -- ) begin-step slide-all ;
: step-moves ( -- ) begin-step go-steps ;
: diagonal-moves ( -- ) begin-step go-diagonals ;
: drop-moves ( -- )
	from kind-in drop-type current-player OR begin-move
	careful @ closely !
	drop-from-hand
;

\ The drawn player's lot is put on the urn.
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
	DUP piece-at SWAP take-up
	man @ far? IF slide-all man-type @ dragon = IF go-diagonals ENDIF ELSE go-steps ENDIF
;
: test-board ( -- )
	0
	BEGIN
		DUP piece-at DUP owner mover @ = SWAP reach AND IF DUP test-piece ENDIF
		1+ DUP #squares = found @ OR
	UNTIL
	DROP
;
: test-hand ( -- )
	#kinds 1- 0 DO
		mover @ I hand
		DUP not-empty-at? found @ NOT AND
		IF I drop-type mover @ OR SWAP take-up drop-from-hand ELSE DROP ENDIF
	LOOP
;
\ The test may be called within another test: a pawn drop that may mate may be a reply to another
\ such drop.  So the variables are saved and restored.
: has-move? ( player -- ? )
	mover @ >R testing @ >R man @ >R origin @ >R pawn-lines @ >R found @ >R
	mover ! testing ON found OFF
	test-board
	found @ NOT IF test-hand ENDIF
	found @
	R> found ! R> pawn-lines ! R> R> SWAP take-up R> testing ! R> mover !
;
' has-move? IS able?
