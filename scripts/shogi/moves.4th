\ Moves and drops.

VARIABLE best-capture                   \ for the evaluation: the estimated gain of the best capture

\ --- moves on the board ----------------------------------------------------------------------------

\ A capture takes a piece from the enemy and gives one to the hand.  If the enemy attacks the square, the capturing piece
\ counts as lost.
: note-capture ( pos -- )
	DUP piece-at piece-value 2*             ( pos gain )
	DUP best-capture @ > IF
		OVER mover @ opponent attacked? IF current-piece piece-value - ENDIF
		DUP best-capture @ MAX best-capture !
	ENDIF
	2DROP
;
: write-move ( pos type -- )            \ the type that the piece has after the move
	from 2 PICK move
	DUP current-piece-type = IF DROP ELSE OVER change-type-at ENDIF
	DUP not-empty-at? IF
		mover @ COMPILE-LITERAL
		piece-type-at kind[] @ COMPILE-LITERAL COMPILE add-to-hand
	ELSE DROP ENDIF
	add-move
;
: may-promote? ( pos -- ? )
	current-piece-type promoted-type[] @
	IF mover @ in-zone? from mover @ in-zone? OR ELSE DROP FALSE ENDIF
;
: try-move ( pos -- )
	DUP player-at mover @ = IF DROP EXIT ENDIF
	from OVER safe-move? NOT IF DROP EXIT ENDIF
	DUP not-empty-at? IF DUP note-capture ENDIF
	DUP may-promote? IF DUP current-piece-type promoted-type[] @ write-move ENDIF
	DUP current-piece stuck? IF DROP ELSE current-piece-type write-move ENDIF
;
' try-move IS try-target
: generate-moves ( -- ) prepare from all-targets ;
' generate-moves IS board-moves

\ --- a pawn drop that mates ------------------------------------------------------------------------

\ It is forbidden.  The dropped pawn is next to the king, so the check ends only by a king's move or by a capture of the
\ pawn.  The words below look at the position after the drop with the other player as the mover.
: king-can-flee? ( -- ? )
	way-count @
	BEGIN 1- DUP 0< NOT WHILE               ( n )
		#all-round OVER bit[] @ AND IF
			king-square @ OVER neighbour            ( n pos )
			DUP 0< IF DROP ELSE
			DUP player-at mover @ = IF DROP ELSE
			king-square @ SWAP exposed? NOT IF DROP TRUE EXIT ENDIF
			ENDIF ENDIF
		ENDIF
	REPEAT
	DROP FALSE
;
: can-capture? ( pos -- ? )             \ with another piece than the king
	way-count @
	BEGIN 1- DUP 0< NOT WHILE               ( pos n )
		mover @ attacking-player !
		2DUP attacker                           ( pos n pos' )
		DUP 0< IF DROP ELSE
		DUP king-square @ = IF DROP ELSE
		2 PICK exposed? NOT IF 2DROP TRUE EXIT ENDIF
		ENDIF ENDIF
	REPEAT
	2DROP FALSE
;
: mated-by-pawn? ( pos -- ? ) king-can-flee? IF DROP FALSE ELSE can-capture? NOT ENDIF ;
: ahead-of ( pos -- pos' ) mover @ Black = IF 0 ELSE 1 ENDIF neighbour ;
: faces-king? ( pos -- ? ) ahead-of DUP 0< IF DROP FALSE ELSE piece-at mover @ opponent king-of = ENDIF ;
: drop-mates? ( pos -- ? )
	DUP faces-king? NOT IF DROP FALSE EXIT ENDIF
	king-square @ >R mover @ >R
	R@ pawn OR OVER put-cell
	DUP ahead-of king-square !
	R@ opponent mover !
	DUP mated-by-pawn?
	0 ROT put-cell
	R> mover ! R> king-square !
;

\ --- drops -----------------------------------------------------------------------------------------

#files [] pawn-on-file[]                \ TRUE: the mover has an unpromoted pawn there
: find-pawns ( -- )
	0 pawn-on-file[] #files CELLS ERASE
	mover @ pawn OR
	#squares 0 DO DUP I piece-at = IF TRUE I #files MOD pawn-on-file[] ! ENDIF LOOP
	DROP
;
: pawn-may-drop? ( pos -- ? ) DUP #files MOD pawn-on-file[] @ IF DROP FALSE ELSE drop-mates? NOT ENDIF ;
: may-drop? ( pos type -- ? )
	OVER not-empty-at? IF 2DROP FALSE EXIT ENDIF
	2DUP mover @ OR stuck? IF 2DROP FALSE EXIT ENDIF
	OVER safe-drop? NOT IF 2DROP FALSE EXIT ENDIF
	pawn = IF pawn-may-drop? ELSE DROP TRUE ENDIF
;
: write-drop ( pos type -- )
	mover @ SWAP ROT create-player-piece-type-at
	from COMPILE-LITERAL COMPILE take-from-hand
	add-move
;
: generate-drops ( -- )
	prepare
	from kind-at dropped-type[] @
	DUP pawn = IF find-pawns ENDIF
	#squares 0 DO I OVER may-drop? IF I OVER write-drop ENDIF LOOP
	DROP
;
' generate-drops IS drop-moves

: clear-moves ( -- ) forget-attacks best-capture OFF 0 pawn-on-file[] #files CELLS ERASE ;
