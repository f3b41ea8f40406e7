\ zrf-moves.4th: the moves of a game from a rule file of Zillions; zrf.4th comes before it.

\ This file owns the making of a move from the state of a running block: its text, its edits, what it
\ records for later moves and for goals, and passes.

\ --- the text of a move ---------------------------------------------------------------------
\ A move's code may begin with the items of its text.

{scratch

: z-minus-item ( -- ) 0 0 $TextItem ;
: z-x-item ( -- ) 1 0 $TextItem ;
: z-equals-item ( -- ) 2 0 $TextItem ;
: z-on-item ( -- ) 3 0 $TextItem ;
: z-flip-item ( -- ) 4 0 $TextItem ;
: z-at-item ( -- ) 5 0 $TextItem ;
: z-partial-item ( -- ) 6 0 $TextItem ;
: z-type-item ( piece -- ) #PieceType AND 1 $TextItem ;
: z-player-item ( piece -- ) player-index 2 $TextItem ;
: z-position-item ( pos -- ) 3 $TextItem ;
: z-number-item ( n -- ) 4 $TextItem ;
: z-owned-item ( piece -- )  \ Owner and type.
	DUP z-player-item z-type-item ;

VARIABLE z-named ( -- addr )  \ Position of the movement or drop that was written last, or ??.
VARIABLE z-equal ( -- addr )  \ Name of the change that was written last: kind and value.
VARIABLE z-short ( -- addr )  \ Was it written without its position?
VARIABLE z-attributes ( -- addr )  \ Number of attributes.

: z-drop-text ( i -- )
	DUP z-froms[] @ ?? = IF
		z-dropped z-owned-item z-tos[] @ DUP z-position-item z-named !
	ELSE DROP ENDIF ;
: z-moves? ( i -- ? )  \ Does a piece move, and not to its own position?
	DUP z-froms[] @ DUP ?? = IF 2DROP FALSE ELSE
		DUP board[] @ IF SWAP z-tos[] @ <> ELSE 2DROP FALSE ENDIF
	ENDIF ;
: z-left-before? ( pos i -- ? )  \ Does a movement before movement i leave the position?
	BEGIN DUP IF 1- 2DUP z-froms[] @ <> ELSE FALSE ENDIF WHILE REPEAT
	z-froms[] @ = ;
: z-occupied? ( i -- ? )  \ Is the end of a movement occupied, as far as the text is concerned?
	DUP z-tos[] @ DUP board[] @ IF SWAP z-left-before? NOT ELSE 2DROP FALSE ENDIF ;
: z-movement-text ( i -- )
	DUP z-moves? IF
		DUP z-moving z-type-item DUP z-froms[] @ z-position-item
		DUP z-occupied? IF z-x-item ELSE z-minus-item ENDIF
		z-tos[] @ DUP z-position-item z-named !
	ELSE DROP ENDIF ;

\ Effects stand in the order of the program, but a non-capture takes the place of the first capture
\ before it, which goes to the end.  An effect on a position that is empty before the move and where
\ nothing arrives is not written.
#z-effects [] z-order[] ( i -- addr )  \ The effects in the order of the text.
VARIABLE z-ordered ( -- addr )  \ Their number.
VARIABLE z-place ( -- addr )  \ The position that the next words look for.
VARIABLE z-found ( -- addr )  \ Have they found it?
: z-lands-there ( i -- )
	DUP z-tos[] @ z-place @ = IF z-moving IF z-found ON ENDIF ELSE DROP ENDIF ;
: z-created-there ( i -- )
	DUP #z-created z-effect-of? IF
		z-places[] @ z-place @ = IF z-found ON ENDIF
	ELSE DROP ENDIF ;
: z-written? ( i -- ? )  \ Is the effect written?
	z-places[] @ DUP board[] @ IF DROP TRUE ELSE
		z-place ! z-found OFF ['] z-lands-there z-each-movement
		['] z-created-there z-each-effect z-found @
	ENDIF ;
: z-append ( i -- )
	z-ordered @ z-order[] ! z-ordered ++ ;
: z-first-capture ( -- n )  \ Place of the first capture in the order; the number of all if none.
	0 BEGIN DUP z-ordered @ < IF DUP z-order[] @ #z-captured z-effect-of? NOT ELSE FALSE ENDIF
	WHILE 1+ REPEAT ;
: z-enter ( i -- )  \ Enter an effect into the order.
	#z-captured z-used? IF
		DUP #z-captured z-effect-of? DUP NOT IF DROP z-first-capture z-ordered @ = ENDIF
	ELSE TRUE ENDIF
	IF z-append ELSE
		z-first-capture DUP z-order[] @ z-append z-order[] !
	ENDIF ;
: z-sort ( i -- )
	DUP z-written? IF z-enter ELSE DROP ENDIF ;

: z-name-of ( i -- n )  \ The new type or owner of a change, as one number.
	DUP z-values[] @ SWAP #z-retyped z-effect-of? IF NEGATE ENDIF ;
: z-name-item ( i -- )
	DUP z-values[] @ SWAP #z-retyped z-effect-of? IF z-type-item ELSE z-player-item ENDIF ;
: z-equals-text ( i -- )  \ `= Name`, `= Name on p`, or a further position.
	DUP z-name-of z-equal @ = IF
		z-short @ IF z-on-item z-short @ 1- z-position-item z-short OFF ENDIF
		z-places[] @ z-position-item
	ELSE
		z-equals-item DUP z-name-item DUP z-name-of z-equal !
		z-places[] @ DUP z-named @ = IF 1+ z-short ! ELSE
			z-short OFF z-on-item z-position-item
		ENDIF
	ENDIF ;
: z-attribute-number ( bit -- n )  \ Number of an attribute in texts: the last declared one is 0.
	DUP 0< IF DROP 15 ELSE
		65536 / 0 BEGIN OVER 1 > WHILE 1+ SWAP 2/ SWAP REPEAT SWAP DROP
	ENDIF z-attributes @ 1- SWAP - ;
: z-attribute-text ( i -- )
	z-at-item DUP z-places[] @ z-position-item
	DUP z-values[] @ z-attribute-number z-number-item
	z-kinds[] @ #z-set = IF 1 ELSE 0 ENDIF z-number-item ;
: z-other-text ( i -- )
	z-equal OFF
	DUP z-kinds[] @
	DUP #z-captured = IF DROP z-x-item z-places[] @ z-position-item ELSE
	DUP #z-created = IF DROP DUP z-values[] @ z-owned-item z-places[] @ z-position-item ELSE
	#z-flipped = IF z-flip-item z-places[] @ z-position-item ELSE
	z-attribute-text ENDIF ENDIF ENDIF ;
: z-effect-text ( n -- )  \ Lay the n-th effect in the order of the text.
	z-order[] @ DUP z-kinds[] @ #z-retyped #z-owned + AND
	IF z-equals-text ELSE z-other-text ENDIF ?? z-named ! ;
: z-lay-text ( -- )  \ Lay the items of the text of a move.
	?? z-named ! z-equal OFF z-short OFF
	z-partial @ IF z-partial-item z-next-type @ z-number-item ENDIF
	['] z-drop-text z-each-movement ['] z-movement-text z-each-movement
	['] z-effect-text z-ordered @ z-each
	z-promotion @ DUP IF z-equals-item z-type-item
		z-last DUP z-moves? OVER z-froms[] @ ?? = OR z-ordered @ 0= AND
		IF DROP ELSE z-on-item z-tos[] @ z-position-item ENDIF
	ELSE DROP ENDIF ;

VARIABLE z-viewer ( -- addr )  \ Player for whom a goal is asked.

\ --- what a move does besides its edits --------------------------------------------------------

VARIABLE z-noting ( -- addr )  \ Must moves record where they begin and end?  2: the first movement.
: z-note ( from to -- )  \ Record from and to of the move, both plus 1; 0: none.
	z-last-to ! z-last-from ! turn-number z-noted ! ;
: z-forget-last ( -- )  \ At the end of a turn: a pass that the kernel added records nothing.
	z-noted @ turn-number 1- <> IF z-last-from OFF z-last-to OFF ENDIF ;
: z-ends ( i -- from to )  \ Where a movement begins and ends; no positions if no piece moves.
	DUP z-moving IF DUP z-froms[] @ SWAP z-tos[] @ ELSE DROP ?? ?? ENDIF ;
: z-note-of ( -- from to )  \ What the pending move records.
	z-noting @ 2 = IF 0 ELSE z-last ENDIF z-ends 1+ SWAP 1+ SWAP ;
: z-lay-note ( -- )
	z-noting @ IF z-note-of SWAP COMPILE-LITERAL COMPILE-LITERAL COMPILE z-note ENDIF ;
: z-continue-at ( n -- )  \ The piece on a position, plus 1, must continue.
	z-piece-square ! ;
: z-lay-partial ( -- )
	z-partial @ IF
		z-last z-ends 1+ COMPILE-LITERAL DROP COMPILE z-continue-at
		z-next-type @ partial-move-type
	ENDIF ;

#z-pieces [] z-store-numbers[] ( piece -- addr )
: z-store-of ( piece -- i )  \ Index of the store for pieces with this owner and type.
	#PiecePlayer AND z-store-numbers[] @ ;
: z-number-stores ( -- )  \ After the section of the pieces.
	$playerCount @ BEGIN DUP WHILE
		1- $pieceCount @ BEGIN DUP WHILE ( player type )
			OVER $pieceCount @ * OVER + 1-
			2 PICK z-player 2 PICK OR z-store-numbers[] !
		1- REPEAT DROP
	REPEAT DROP ;
: z-store ( player type -- addr )  \ The number of pieces in a store.
	OR z-store-of z-stores ;
: z-in-store? ( -- ? )  \ Is a piece of the type being dropped in the side's store?
	$piece @ z-store-of z-stores @ 0> ;
: z-take ( i -- )  \ Take a piece from a store.
	z-stores -- ;
: z-return ( i -- )  \ Put a piece into a store.
	z-stores ++ ;
: z-lay-take ( -- )
	$piece @ z-store-of COMPILE-LITERAL COMPILE z-take ;
: z-leaver-store ( i -- i' )  \ Index of the store of a piece that leaves the board.
	z-leavers[] @ z-store-of ;
: z-lay-return ( i -- )
	z-leaver-store COMPILE-LITERAL COMPILE z-return ;
: z-lay-returns ( -- )  \ Pieces that leave the board go to their owners' stores.
	z-recycling @ IF
		['] z-lay-return z-leaving @ z-each
	ENDIF ;

: z-record-victim ( i -- )  \ A piece of this owner and type has left the board in this turn.
	turn-number 1+ SWAP z-victims ! ;
: z-lay-victim ( i -- )
	z-leaver-store COMPILE-LITERAL COMPILE z-record-victim ;
: z-lay-victims ( -- )
	z-watching @ IF
		['] z-lay-victim z-leaving @ z-each
	ENDIF ;
: z-add-capture ( i -- )  \ A player has captured a piece of a type: i is that of the player's own.
	z-captures ++ ;
: z-lay-capture-by ( piece player -- )  \ The player captures the piece, which another player owns.
	SWAP #PieceType AND OR z-store-of COMPILE-LITERAL COMPILE z-add-capture ;
: z-others? ( piece -- ? )  \ Is it a piece of another player?
	#Player AND $forPlayer @ <> ;
: z-lay-captured ( i -- )  \ The player who moves captures the piece, and so does the side.
	z-leavers[] @ DUP z-others? IF
		DUP $forPlayer @ z-lay-capture-by
		current-player $forPlayer @ <> IF DUP current-player z-lay-capture-by ENDIF
	ENDIF DROP ;
: z-lay-captures ( -- )
	z-counting-captures @ IF ['] z-lay-captured z-leaving @ z-each ENDIF ;
VARIABLE z-most-counted ( -- addr )  \ So many captures of one move count at most.
32767 z-most-counted !
VARIABLE z-taken ( -- addr )  \ Captures of the moves made since it was cleared.
: z-took ( n -- )  \ Captures of a move; zrf-filters.4th explains the number.
	z-taken ! ;
CREATE z-kings ( -- addr )  \ For each type a byte: is it a type to which pieces are promoted?
	#PieceType 1+ ALLOT z-kings #PieceType 1+ ERASE
: z-king ( type -- )  \ Pieces are promoted to the type.
	z-kings + TRUE SWAP C! ;
: z-king? ( piece -- ? )
	#PieceType AND z-kings + C@ 0<> ;
: z-leavers-that ( 'x -- n )  \ Number of pieces that leave the board and that x ( piece -- ? ) accepts.
	0 z-leaving @ BEGIN DUP WHILE
		1- DUP z-leavers[] @ 3 PICK EXECUTE IF SWAP 1+ SWAP ENDIF
	REPEAT DROP SWAP DROP ;
: z-others-king? ( piece -- ? )
	DUP z-king? SWAP z-others? AND ;
: z-lay-count ( -- )
	z-counting @ IF
		['] z-others? z-leavers-that z-most-counted @ MIN 65536 *
		z-counting @ 2 = IF ['] z-others-king? z-leavers-that 256 * + $piece @ z-king? IF 1+ ENDIF ENDIF
		COMPILE-LITERAL COMPILE z-took
	ENDIF ;
: z-captured? ( type -- ? )  \ Has a piece of the viewer left the board in the last turn?
	z-viewer @ OR z-store-of z-victims @ turn-number = ;

\ --- making moves -----------------------------------------------------------------------------

: z-lay-edit ( i -- )  \ Lay the edit of a touched position.
	CELLS z-touched + @ DUP z-now-at OVER board[] @ OVER <> IF
		DUP IF
			COMPILE-LITERAL COMPILE-LITERAL COMPILE (create)
		ELSE
			DROP COMPILE-LITERAL COMPILE (remove-piece)
		ENDIF
	ELSE 2DROP ENDIF ;
: z-lay-edits ( -- )
	['] z-lay-edit z-touches @ z-each ;

\ Equal moves must have equal code, so that the kernel can count them once.  Therefore effects that
\ do nothing, and movements from empty positions, do not matter here; and where moves are compared, a
\ promotion is laid like a change of the type.
VARIABLE z-single ( -- addr )  \ The only movement; ?? if none is known yet.
: z-note-single ( i -- )  \ Clear z-found if a movement is not the only one.
	DUP z-moving IF
		DUP z-moves? z-single @ ?? = AND IF z-single ! ELSE DROP z-found OFF ENDIF
	ELSE DROP ENDIF ;
: z-not-simple ( n -- )  \ Clear z-found if the automatic text does not fit the n-th effect.
	z-order[] @ DUP #z-captured z-effect-of?
	IF z-places[] @ z-single @ z-tos[] @ = ELSE DROP TRUE ENDIF
	IF z-found OFF ENDIF ;
: z-simple? ( -- ? )  \ Is the move one movement with captures, or with a promotion?
	z-partial @ z-recording @ OR IF FALSE ELSE
		z-found ON ?? z-single ! ['] z-note-single z-each-movement
		z-promotion @ IF z-ordered @ z-renewing @ OR z-comparing @ OR IF z-found OFF ENDIF ENDIF
		z-found @ IF z-single @ ?? <> ELSE FALSE ENDIF
		IF ['] z-not-simple z-ordered @ z-each z-found @ ELSE FALSE ENDIF
	ENDIF ;
: z-lay-capture ( i -- )
	z-places[] @ DUP board[] @ IF capture-at ELSE DROP ENDIF ;
: z-lay-simple ( -- )
	z-single @ z-froms[] @ z-single @ z-tos[] @ move
	['] z-lay-capture z-each-effect
	z-promotion @ DUP IF z-single @ z-tos[] @ change-type-at ELSE DROP ENDIF ;

: z-moves-or-drops ( i -- )
	DUP z-moves? SWAP z-froms[] @ ?? = OR IF z-found ON ENDIF ;
: z-changes? ( -- ? )  \ Does the move do anything?  It also sorts the effects for the text.
	z-ordered OFF ['] z-sort z-each-effect
	z-found OFF ['] z-moves-or-drops z-each-movement
	z-found @ z-ordered @ OR z-promotion @ OR ;
: z-discard ( -- )  \ `add` discards saved movements, too.
	z-movements OFF ;
VARIABLE z-probing ( -- addr )  \ Is an attack being looked for?  Then blocks add no moves.
VARIABLE z-target ( -- addr )  \ The position that may be attacked.
VARIABLE z-hit ( -- addr )  \ Has an attack been found?
: z-reaches ( pos -- )  \ A piece can come to the position, or capture there.
	z-target @ = IF z-hit ON $Exit ENDIF ;
: z-probe-movement ( i -- )
	DUP z-moves? IF z-tos[] @ z-reaches ELSE DROP ENDIF ;
: z-probe-effect ( i -- )
	DUP #z-captured z-effect-of? IF z-places[] @ z-reaches ELSE DROP ENDIF ;
: z-probe-all ( -- )
	['] z-probe-movement z-each-movement ['] z-probe-effect z-each-effect ;

: z-lay ( -- )  \ Lay the move, with its text if necessary.
	z-simple? IF z-lay-simple ELSE
		$OmitsTexts? NOT IF z-lay-text ENDIF z-lay-edits
		z-recording @ IF z-lay-returns z-lay-victims z-lay-captures z-lay-count ENDIF
	ENDIF
	z-lay-note z-lay-partial ;
: z-lay-promotion ( -- )  \ The new type comes from the side's store.
	z-promoting @ z-promotion @ AND IF
		$forPlayer @ z-promotion @ OR z-store-of COMPILE-LITERAL COMPILE z-take
	ENDIF ;
: z-lacks-type? ( -- ? )  \ Is a promotion impossible, because the store is empty?
	z-promoting @ z-promotion @ AND IF
		$forPlayer @ z-promotion @ z-store @
		0 z-froms[] @ ?? = z-promotion @ current-piece-type = AND IF 1- ENDIF 0> NOT
	ELSE FALSE ENDIF ;
DEFER z-safe? ( -- ? )  \ Is no royal piece attacked after the pending move, which has been worked out?
: z-no-royals-at-risk ( -- ? )
	TRUE ;
' z-no-royals-at-risk IS z-safe?
: z-lay-safely ( -- )  \ Lay and add the move, if it is safe.
	z-safe? IF
		z-lay 0 z-froms[] @ ?? = IF z-lay-take ENDIF z-lay-promotion add-move
	ENDIF ;
: z-check-promotion ( -- )  \ Without a piece that moves there is no promotion.
	z-promotion @ IF z-last z-moving NOT IF z-promotion OFF ENDIF ENDIF ;
: z-put-original ( -- )  \ A copy moves: put the original on its position, after other effects.
	z-copying @ z-dropping @ NOT AND IF
		z-from @ DUP board[] @ DUP IF SWAP #z-created z-effect
		ELSE 2DROP z-copying OFF ENDIF
	ELSE z-copying OFF ENDIF ;
: z-finish ( -- )  \ Add the move that is pending; movements stay.
	z-put-original z-movement z-save z-check-promotion
	z-lacks-type? NOT IF z-probing @ IF z-probe-all ELSE
		z-changes? IF z-work-out z-lay-safely ENDIF
	ENDIF ENDIF
	z-movements -- z-copying @ IF z-effects -- ENDIF ;
: z-add-all-as ( type -- )  \ Add the pending move; its piece becomes another type.
	z-promotion ! z-finish z-promotion OFF ;
: z-drop-copy-as ( type -- )  \ Add a drop of another type, which must be in its own store.
	$piece @ SWAP $forPlayer @ OR $piece ! z-in-store? IF z-promotion OFF z-finish ENDIF $piece ! ;
: z-end-add ( -- )  \ After the moves of one `add`: only saved movements stay pending.
	z-no-effects z-partial OFF z-copying OFF ;
: z-add-all ( -- )  \ Add the pending move.
	z-promotion OFF z-finish z-end-add ;
: z-lay-plain-note ( n -- )  \ Lay the note of a movement to the cursor; n: where it begins, plus 1.
	z-noting @ IF COMPILE-LITERAL here 1+ COMPILE-LITERAL COMPILE z-note ELSE DROP ENDIF ;
: z-takes-goal? ( -- ? )  \ Is the cursor one of the captured positions?
	z-effects @ BEGIN DUP IF DUP 1- z-places[] @ here <> ELSE FALSE ENDIF WHILE 1- REPEAT 0<> ;
: z-add-captures ( -- )  \ Add a move from the block's position to the cursor, with captures only.
	z-probing @ from here = OR z-takes-goal? OR IF z-add-all ELSE
		from here move ['] z-lay-capture z-each-effect from 1+ z-lay-plain-note add-move z-no-effects
	ENDIF ;

: z-add ( -- )  \ Add a move from the block's position to the cursor, without effects.
	z-probing @ IF here z-reaches ELSE from here <> IF
		from here move from 1+ z-lay-plain-note add-move
	ENDIF ENDIF ;
: z-add-as ( type -- )  \ The same; the piece becomes another type.
	from here = z-comparing @ OR IF z-begin z-add-all-as ELSE
		z-probing @ IF DROP here z-reaches ELSE
			from here move change-type from 1+ z-lay-plain-note add-move
		ENDIF
	ENDIF ;
: z-drop ( -- )  \ Add a drop on the cursor, without effects.
	z-dropped COMPILE-LITERAL here COMPILE-LITERAL COMPILE (create)
	0 z-lay-plain-note z-lay-take add-move ;

\ --- passes -----------------------------------------------------------------------------------

: z-lay-no-note ( -- )
	z-noting @ IF 0 COMPILE-LITERAL 0 COMPILE-LITERAL COMPILE z-note ENDIF ;
: z-pass ( -- )  \ A word among the drops: adds one pass at the beginning of a turn.
	from 0= $partial @ NOT AND verify z-lay-no-note Pass ;
: z-stop ( -- )  \ A word among the drops: adds one pass that ends a series of partial moves.
	from 0= $partial @ AND verify z-lay-no-note Pass ;
: z-pass? ( move -- ? )  \ Is the move a pass?  Its code begins with no literal, or is a note.
	.moveCFA CELLSIZE + DUP @ ['] LIT = IF
		DUP 2 CELLS + @ ['] LIT = SWAP 4 CELLS + @ ['] z-note = AND
	ELSE @ ['] BRANCH <> ENDIF ;
: z-may-run? ( -- ? )  \ In a series of partial moves: is it the piece that must continue?
	$partial @ z-probing @ NOT AND IF z-piece-square @ 1- from = ELSE TRUE ENDIF ;
: z-typed? ( -- ? )  \ Is a type of moves demanded, or does a series of partial moves run?
	$ofType @ 0<> $partial @ OR z-probing @ OR ;

scratch}
