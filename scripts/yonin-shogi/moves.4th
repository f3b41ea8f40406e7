\ moves.4th: the moves and drops of Yonin Shogi, the legal ones only.

\ The same words serve two ends.  Run by move generation they add moves to the list.  Run by `able?` they only find
\ out whether a player has any: so a player can be found mated in the middle of somebody else's move, where the
\ engine's own generation cannot be called.

\ === 1 Who moves what ==============================================================================

VARIABLE asking         \ TRUE: only find out
VARIABLE found          \ ... and one was found
VARIABLE mover          \ the player
VARIABLE man            \ the piece: as it stands, or the type of it that is dropped
VARIABLE origin         \ its square, or the place in the hand that it comes from
VARIABLE careful        \ TRUE: every move must be tried, for the king is in check, or there are partners
VARIABLE closely        \ TRUE: the moves of this man must be tried
VARIABLE only-kings     \ TRUE: nothing may be done but to drop a king (rules=capture)
VARIABLE sacred         \ types up to this one cannot be captured: kings with rules=mate, none with rules=capture

: dropping? ( -- ? ) origin @ #squares >= ;

\ === 2 Is it allowed? ==============================================================================

DEFER able? ( player -- ? )

: exposed? ( pos -- ? )                 \ does it leave a king in check who must not be?  pos is the moved man's
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

\ Puts the man down, looks around, and puts everything back.
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
	DUP man @ type <> IF SWAP change-type-at ELSE 2DROP ENDIF
;
: write-capture ( pos -- )              \ what stood there goes into the hand
	piece-type-at DUP IF kind[] @ mover @ SWAP hand COMPILE-LITERAL COMPILE gain ELSE DROP ENDIF
;
: write-move ( pos type -- )
	from 2 PICK move
	OVER SWAP write-promotion
	write-capture
	add-move
;
: write ( pos type -- ) dropping? IF write-drop ELSE write-move ENDIF ;

\ What all moves come to: this man could go there and be of that type.
: offer ( pos type -- )
	asking @
	IF
		found @ IF 2DROP ELSE allowed? found ! ENDIF
	ELSE
		closely @ IF 2DUP allowed? ELSE TRUE ENDIF
		IF write ELSE 2DROP ENDIF
	ENDIF
;

\ === 4 Moves on the board ==========================================================================

: zone-at ( pos -- n ) man @ facing #squares * + zone[] @ ;
: must-rise? ( pos -- ? ) zone-at 3 = man @ type name 0= AND ;

: consider ( pos -- )                   \ with promotion, without, or both
	man @ type DUP rise[] @                 ( pos type type' )
	DUP IF origin @ zone-at 3 PICK zone-at OR 0= IF DROP 0 ENDIF ENDIF
	DUP
	IF
		2 PICK SWAP offer
		OVER must-rise? IF 2DROP ELSE offer ENDIF
	ELSE
		DROP offer
	ENDIF
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

\ One pawn for each line: the numbers of the lines that have one are bits of this.
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

\ When could a pawn drop be mate?  If it gives check, or if somebody else is in check already.
VARIABLE check-about
: check-elsewhere? ( -- ? )
	FALSE mover @ next-living
	BEGIN DUP mover @ <> 2 PICK NOT AND WHILE       ( ? player )
		DUP in-check? IF SWAP DROP TRUE SWAP ENDIF next-living
	REPEAT
	DROP
;
: ahead ( pos -- pos' ) mover @ player-index 2* way[] @ beside ;
: gives-check? ( pos -- ? ) ahead DUP 0< IF DROP FALSE ELSE piece-type-at king = ENDIF ;
: look-closely ( pos -- ? )             \ a pawn there
	careful @ pawn-may-mate @ IF SWAP DROP ELSE check-about @ OR SWAP gives-check? OR ENDIF
;

: drop-pawns ( -- )
	find-pawn-lines
	asking @ kings-fall @ OR NOT            ( ? )
	DUP IF check-elsewhere? check-about ! ENDIF
	#squares 0 DO
		I empty-at? IF
			I pawn-place? IF
				DUP IF I look-closely closely ! ENDIF
				I pawn offer
			ENDIF
		ENDIF
	LOOP
	DROP
;
: drop-others ( -- )
	#squares 0 DO I empty-at? IF I man @ type offer ENDIF LOOP
;
: drop-from-hand ( -- )
	man @ type pawn = IF drop-pawns ELSE drop-others ENDIF
;

\ === 6 Generation ==================================================================================

: begin-move ( -- )
	from origin ! current-piece man !
	only-kings @ NOT verify
	careful @ current-piece-type king = OR from pinned? OR kings-fall @ NOT AND closely !
;
: go-slides ( -- ) begin-move slide-all ;
' go-slides IS slides
: all-steps ( -- ) begin-move go-steps ;
' all-steps IS steps
: all-diagonals ( -- ) begin-move go-diagonals ;
' all-diagonals IS diagonals

: all-drops ( -- )
	from origin !
	from kind-in drop-type mover @ OR man !
	only-kings @ man @ type king <> AND NOT verify
	careful @ kings-fall @ NOT AND closely !
	drop-from-hand
;
' all-drops IS drops

\ The lot falls to one of four: his lot stands on the urn then.
: draw-lots ( -- ) 4 0 DO I 1+ $EncodePlayer lot urn create-player-piece-type-at add-move LOOP ;
' draw-lots IS lot-draws

: look-around ( -- )                    \ before the moves of a player are generated
	current-player mover ! asking OFF
	mover @ king-at king-stands !
	kings-fall @
	IF
		king-stands @ 0< only-kings !
		careful OFF
	ELSE
		only-kings OFF
		mover @ in-check? in-pairs @ OR careful !
		mover @ ward ! find-pins
	ENDIF
;

\ === 7 Has a player a move? ========================================================================

: ask-man ( pos -- )
	DUP origin ! piece-at DUP man !
	far? IF slide-all man @ type dragon = IF go-diagonals ENDIF ELSE go-steps ENDIF
;
: ask-board ( -- )
	0
	BEGIN
		DUP piece-at DUP owner mover @ = SWAP reach AND IF DUP ask-man ENDIF
		1+ DUP #squares = found @ OR
	UNTIL
	DROP
;
: ask-hand ( -- )
	#kinds 1- 0 DO
		mover @ I hand
		DUP not-empty-at? found @ NOT AND
		IF origin ! I drop-type mover @ OR man ! drop-from-hand ELSE DROP ENDIF
	LOOP
;
\ It may be asked while another answer is being worked out: a pawn drop that may be mate could be answered by such
\ a drop.  So what is in the variables is kept and put back.
: has-move? ( player -- ? )
	mover @ >R asking @ >R man @ >R origin @ >R pawn-lines @ >R found @ >R
	mover ! asking ON found OFF
	ask-board
	found @ NOT IF ask-hand ENDIF
	found @
	R> found ! R> pawn-lines ! R> origin ! R> man ! R> asking ! R> mover !
;
' has-move? IS able?
