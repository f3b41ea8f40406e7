\ zrf.4th: words that scripts compiled from rule files of Zillions of Games (.zrf) use.

\ This file owns the state of a running block of move code, the making of moves from it, and the
\ tables of a compiled game: directions, zones, initial attributes, stores.  The script has
\ defined the board and the players before, with the board variables z-stores (directly after the
\ positions), z-piece-square, z-last-from, z-last-to, z-noted and z-mover.
\ Every name begins with z-, so that names of a game cannot hide one.

\ --- sections of a game ---------------------------------------------------------------------

: z-aligned ( -- )  \ Continue the dictionary at a cell boundary.
	HERE 3 + -4 AND HERE - ALLOT ;
: z-text, ( -- str )  \ Keep the text of the next token in the dictionary.
	-FIND DROP HERE PAD OVER "MOVE DUP "SIZE ALLOT z-aligned ;

VARIABLE z-pfa ( -- addr )  \ Body of the direction that is being linked, or of the newest zone.
: z-direction ( addr -- addr' )  \ Make the next name a direction without links.
	-FIND DROP PAD $CreateDirectionFromString $EnterDirection ;
: z-chain ( p1 ... pn n -- )  \ Link each position to the one after it; next name: direction.
	' CFA>PFA z-pfa !
	BEGIN 1- DUP 0> WHILE >R OVER SWAP z-pfa @ $Link R> REPEAT 2DROP ;

\ Symmetries of games in which a player moves pieces of another player: those of the side.
VARIABLE z-side-offset ( -- addr )  \ Offset of the side in tables with a cell per player.
: z-set-side ( -- )  \ Before each generation of moves.
	$forPlayer @ player-index CELLS z-side-offset ! ;
: z-side-direction ( addr 'dir -- )  \ Define a word named like 'dir that uses the row at addr.
	CFA>NFA @ HEADER , DOES> @ z-side-offset @ + @ EXECUTE ;
: z-asymmetry ( player -- )  \ Like {asymmetry}, for the side.
	$ParseSymmetry
	$direction1Index @ $direction2Index @ $ReplaceDirection
	$direction1Index @ $SymmetryBase $direction1CFA @ z-side-direction ;

: z-zone ( -- )  \ Make the next name a zone: ( pos -- ? ) is the position in the side's zone?
	<BUILDS HERE z-pfa ! $positions @ $playerCount @ * DUP ALLOT z-pfa @ SWAP ERASE z-aligned
	DOES> + $forPlayer @ #PlayerBase / 1- $positions @ * + C@ 0<> ;
: z-members ( p1 ... pn n player -- )  \ Enter positions into the newest zone, for a player.
	player-index $positions @ * z-pfa @ + SWAP
	BEGIN DUP WHILE 1- >R SWAP OVER + TRUE SWAP C! R> REPEAT 2DROP ;

\ A name that is also a word of the library, a number, or the name of another thing has a word with
\ a quote.  These words give the thing its own name in texts.  A copy of the header, which no search
\ finds, has the name.
: z-copy-header ( 'x str -- 'x' )  \ Copy the header of a constant, with another name.
	z-aligned HERE 6 CELLS ALLOT >R
	SWAP CFA>NFA R@ 6 MOVE R@ ! R> 3 CELLS + ;
: z-rename ( addr str -- )  \ Replace a constant in a cell of a table by a copy with that name.
	OVER @ SWAP z-copy-header SWAP ! ;
: z-position-named ( pos -- )  \ Show a position as the next name.
	z-text, SWAP $PosName ! ;
: z-record ( type -- addr )  \ Record of a piece type.
	1- #PieceCells * CELLS $pieces @ + ;
: z-piece-named ( type -- )  \ Show a piece type as the next name.
	z-record z-text, z-rename ;
: z-moves ( type -- )  \ Give a piece type the list of moves named next.
	z-record #movesCell CELLS + ' SWAP ! ;
: z-drops ( type -- )  \ Give a piece type the list of drops named next.
	z-record #DropsCell CELLS + ' SWAP ! ;
: z-player-named ( player -- )  \ Show a player as the next name.
	player-index CELLS $players @ + z-text, z-rename ;

VARIABLE z-initials ( -- addr )  \ Initial attributes of each piece type, as bits of a board cell.
: z-initial ( type -- bits )  \ Initial attributes of a piece type.
	z-initials @ DUP IF SWAP 1- CELLS + @ ELSE 2DROP 0 ENDIF ;
: z-has ( bits type -- )  \ Set the initial attributes of a piece type.
	z-initials @ NOT IF
		z-aligned HERE z-initials ! HERE $pieceCount @ CELLS DUP ALLOT ERASE
	ENDIF
	1- CELLS z-initials @ + ! ;
: z-new-piece ( player type -- piece )  \ The board cell of a new piece.
	DUP z-initial OR OR ;
: OnEditAdd ( player type pos -- )  \ The host puts a piece with its initial attributes on the board.
	ROT 2 PICK z-initial OR ROT ROT OnEditAdd ;

\ --- questions: the side is the player whose pieces move -------------------------------------

: z-friend-at? ( pos -- ? )  \ Is the piece at pos the side's?
	board[] @ #Player AND $forPlayer @ = ;
: z-friend? ( -- ? )  \ Is the piece at the cursor the side's?
	$pos @ board[] @ #Player AND $forPlayer @ = ;
: z-enemy-at? ( pos -- ? )  \ Is there a piece of another player at pos?
	board[] @ #Player AND DUP IF $forPlayer @ <> ENDIF ;
: z-enemy? ( -- ? )  \ Is there a piece of another player at the cursor?
	$pos @ board[] @ #Player AND DUP IF $forPlayer @ <> ENDIF ;
: z-adjacent-to-enemy? ( pos -- ? )  \ Does a link lead from the position to an enemy?
	$directionCount @ BEGIN
		DUP IF
			2DUP 1- CELLS $directions @ + @ CFA>PFA SWAP CELLS + @
			DUP ?? = IF DROP FALSE ELSE z-enemy-at? ENDIF NOT
		ELSE FALSE ENDIF
	WHILE 1- REPEAT SWAP DROP 0<> ;
CREATE z-goals ( -- addr )  \ For each position a byte: does it occur in a goal `absolute-config`?
	$positions @ ALLOT z-goals $positions @ ERASE z-aligned
: z-is-goal ( pos -- )  \ The position occurs in a goal.
	z-goals + TRUE SWAP C! ;
: z-goal-position? ( pos -- ? )  \ Does the position occur in a goal?
	z-goals + C@ 0<> ;
: z-go ( pos -- )  \ Set the cursor; no position ends the block.
	DUP ?? <> verify to ;
: z-round ( n -- n' )  \ Count a round of a loop down; the block ends after the last one.
	1- DUP verify ;

\ --- the state of a running block ------------------------------------------------------------

VARIABLE z-from ( -- addr )  \ From of the current movement.
VARIABLE z-to ( -- addr )  \ To of the current movement; no position if unset.
VARIABLE z-mark ( -- addr )  \ Mark.
VARIABLE z-dropping ( -- addr )  \ Is the current movement the drop?
VARIABLE z-copying ( -- addr )  \ Does the piece stay, and a copy move?
VARIABLE z-promoting ( -- addr )  \ Do promotions take the new type from the store?
VARIABLE z-next-type ( -- addr )  \ Type of the moves that must follow a partial move.
VARIABLE z-partial ( -- addr )  \ Is the move partial?
VARIABLE z-promotion ( -- addr )  \ Type that the last moved piece becomes; 0: none.
VARIABLE z-recycling ( -- addr )  \ Do pieces that leave the board return to their owner's store?
VARIABLE z-counting ( -- addr )  \ Are captures counted?  2: also kings.
VARIABLE z-watching ( -- addr )  \ Are pieces that leave the board recorded, for goals?

64 CONSTANT #z-movements ( -- n )  \ Maximum number of movements in a move.
VARIABLE z-movements ( -- addr )  \ Number of saved movements.
#z-movements [] z-froms[] ( i -- addr )  \ Where a movement begins; no position for a drop.
#z-movements [] z-tos[] ( i -- addr )  \ Where it ends.

1024 CONSTANT #z-effects ( -- n )  \ Maximum number of pending effects.
VARIABLE z-effects ( -- addr )  \ Number of pending effects.
#z-effects [] z-kinds[] ( i -- addr )  \ Kind of an effect, see below.
#z-effects [] z-values[] ( i -- addr )  \ New piece, type, owner or attribute.
#z-effects [] z-places[] ( i -- addr )  \ Its position.

1 CONSTANT #z-captured ( -- n )  \ Remove the piece.
2 CONSTANT #z-created ( -- n )  \ Put a piece.
3 CONSTANT #z-retyped ( -- n )  \ Change the type.
4 CONSTANT #z-owned ( -- n )  \ Change the owner.
5 CONSTANT #z-flipped ( -- n )  \ Give the piece to the next player.
6 CONSTANT #z-set ( -- n )  \ Set an attribute.
7 CONSTANT #z-cleared ( -- n )  \ Clear an attribute.

: z-begin ( -- )  \ Begin a block of moves.
	from z-from ! ?? z-to !
	0 DUP z-movements ! DUP z-effects ! DUP z-dropping ! DUP z-partial ! z-copying ! ;
: z-begin-drop ( -- )  \ Begin a block of drops.
	z-begin z-dropping ON ;

: z-to-or-here ( -- pos )  \ To of the current movement: the cursor, if it is unset.
	z-to @ DUP ?? = IF DROP here ENDIF ;
: z-save ( from to -- )  \ Save a movement.
	z-movements @ #z-movements >= ABORT" a move has too many movements"
	z-movements @ z-tos[] ! z-movements @ z-froms[] ! z-movements ++ ;
: z-movement ( -- from to )  \ The current movement.
	z-dropping @ IF ?? ELSE z-from @ ENDIF z-to-or-here ;
: z-cascade ( -- )  \ Save the movement, and begin another one at the cursor.
	z-movement z-save here z-from ! ?? z-to ! z-dropping OFF ;

: z-effect ( value pos kind -- )  \ Add a pending effect.
	z-effects @ #z-effects >= ABORT" a move has too many effects"
	z-effects @ z-kinds[] ! z-effects @ z-places[] ! z-effects @ z-values[] ! z-effects ++ ;
: z-capture ( pos -- )  \ Effect: remove the piece.
	0 SWAP #z-captured z-effect ;
: z-create ( player type pos -- )  \ Effect: put a piece.
	ROT ROT z-new-piece SWAP #z-created z-effect ;
: z-change-type ( type pos -- )  \ Effect: change the type.
	#z-retyped z-effect ;
: z-change-owner ( pos -- )  \ Effect: the piece becomes the side's.
	$forPlayer @ SWAP #z-owned z-effect ;
: z-flip ( pos -- )  \ Effect: the piece goes to the next player.
	0 SWAP #z-flipped z-effect ;
: z-set-attribute ( ? bit pos -- )  \ Effect: set or clear an attribute.
	ROT IF #z-set ELSE #z-cleared ENDIF z-effect ;
: z-go-on ( mtype -- )  \ The next move is partial; moves of that type must follow.
	z-next-type ! z-partial ON ;
: z-copy ( -- )  \ The next move leaves the piece on its position and puts a copy.
	z-copying ON ;

\ --- position flags: a block counter makes clearing unnecessary -------------------------------

VARIABLE z-blocks ( -- addr )  \ Number of the last block that cleared its flags.
VARIABLE z-block ( -- addr )  \ Number of the running block.
VARIABLE z-bank ( -- addr )  \ Offset of the flags: those of attackers' blocks lie behind the others.
: z-clear-flags ( -- )  \ Clear all position flags.
	z-blocks ++ z-blocks @ z-block ! ;
: z-flags ( -- )  \ Make the next name a position flag: ( -- addr ) of two cells per position.
	CREATE HERE $positions @ 2* CELLS DUP ALLOT ERASE ;
: z-flag? ( pos addr -- ? )  \ Is the flag of the position set?
	SWAP CELLS + z-bank @ + @ z-block @ = ;
: z-flag! ( ? pos addr -- )  \ Set or clear the flag of the position.
	SWAP CELLS + z-bank @ + SWAP IF z-block @ ELSE 0 ENDIF SWAP ! ;

\ --- the board after the move: a cell per position, valid if its stamp is current --------------

VARIABLE z-stamp ( -- addr )  \ Number of the move.
CREATE z-stamps ( -- addr )  \ For each position the last move that touches it.
	$positions @ CELLS ALLOT z-stamps $positions @ CELLS ERASE
CREATE z-cells ( -- addr )  \ For each touched position the new board cell.
	$positions @ CELLS ALLOT
CREATE z-touched ( -- addr )  \ The touched positions.
	$positions @ CELLS ALLOT
VARIABLE z-touches ( -- addr )  \ Their number.

: z-now-at ( pos -- piece )  \ Board cell after the move, as far as it has been worked out.
	DUP CELLS z-stamps + @ z-stamp @ = IF CELLS z-cells + @ ELSE board[] @ ENDIF ;
: z-touch ( pos -- )  \ Enter a position among the touched ones.
	z-touches @ CELLS z-touched + ! z-touches ++ ;
: z-put ( piece pos -- )  \ Change the board cell after the move.
	DUP CELLS z-stamps + DUP @ z-stamp @ <> IF z-stamp @ SWAP ! DUP z-touch ELSE DROP ENDIF
	CELLS z-cells + ! ;

\ --- the order of application ---------------------------------------------------------------
\ 1 lift the moving pieces, 2 remove what is left where they arrive, 3 put them down, 4 create,
\ 5 changes in the order of the program, 6 captures, 7 promotion.

#z-effects #z-movements + [] z-leavers[] ( i -- addr )  \ Pieces that leave the board.
VARIABLE z-leaving ( -- addr )  \ Their number.
: z-leave ( piece -- )  \ A piece, if it is one, leaves the board.
	DUP IF z-leaving @ z-leavers[] ! z-leaving ++ ELSE DROP ENDIF ;

: z-dropped ( -- piece )  \ The piece that a drop puts.
	$forPlayer @ current-piece-type z-new-piece ;
: z-moving ( i -- piece )  \ The piece of a movement.
	z-froms[] @ DUP ?? = IF DROP z-dropped ELSE board[] @ ENDIF ;
: z-lift ( i -- )
	z-froms[] @ DUP ?? = IF DROP ELSE 0 SWAP z-put ENDIF ;
: z-land ( i -- )
	DUP z-moving DUP IF
		SWAP z-tos[] @ DUP z-now-at z-leave z-put
	ELSE 2DROP ENDIF ;
: z-each-movement ( 'x -- )  \ Run a word ( i -- ) for each movement.
	z-movements @ 0 BEGIN 2DUP > WHILE
		2 PICK OVER SWAP EXECUTE 1+
	REPEAT 2DROP DROP ;
: z-each-effect ( 'x -- )  \ Run a word ( i -- ) for each pending effect.
	z-effects @ 0 BEGIN 2DUP > WHILE
		2 PICK OVER SWAP EXECUTE 1+
	REPEAT 2DROP DROP ;

: z-effect-of? ( i kind -- ? )
	SWAP z-kinds[] @ = ;
: z-do-create ( i -- )
	DUP #z-created z-effect-of? IF
		DUP 0= z-copying @ AND NOT IF DUP z-places[] @ z-now-at z-leave ENDIF
		DUP z-values[] @ SWAP z-places[] @ z-put
	ELSE DROP ENDIF ;
: z-next-player ( player -- player' )  \ The player after it in the order of the players.
	player-index 1+ DUP $playerCount @ = IF DROP 0 ENDIF CELLS $players @ + @ EXECUTE ;
: z-changed ( piece i -- piece' )  \ The piece after a change.
	DUP z-values[] @ SWAP z-kinds[] @
	DUP #z-retyped = IF DROP SWAP #PieceType INVERT AND OR ELSE
	DUP #z-owned = IF DROP SWAP #Player INVERT AND OR ELSE
	DUP #z-flipped = IF
		2DROP DUP #Player AND z-next-player SWAP #Player INVERT AND OR ELSE
	#z-set = IF OR ELSE INVERT AND ENDIF ENDIF ENDIF ENDIF ;
: z-do-change ( i -- )
	DUP z-kinds[] @ #z-created > IF
		DUP z-places[] @ DUP z-now-at ( i pos piece )
		DUP IF ROT z-changed SWAP z-put ELSE 2DROP DROP ENDIF
	ELSE DROP ENDIF ;
: z-do-capture ( i -- )
	DUP #z-captured z-effect-of? IF
		z-places[] @ DUP z-now-at DUP IF z-leave 0 SWAP z-put ELSE 2DROP ENDIF
	ELSE DROP ENDIF ;
: z-last ( -- i )  \ The last movement that has a piece; the first movement if none has.
	z-movements @ 1- BEGIN DUP 0> IF DUP z-moving 0= ELSE FALSE ENDIF WHILE 1- REPEAT ;
: z-promote ( -- )
	z-promotion @ IF
		z-last z-tos[] @ DUP z-now-at DUP IF
			#PieceType INVERT AND z-promotion @ OR SWAP z-put
		ELSE 2DROP ENDIF
	ENDIF ;
: z-work-out ( -- )  \ Work out the board after the move.
	z-stamp ++ z-touches OFF z-leaving OFF
	['] z-lift z-each-movement ['] z-land z-each-movement
	['] z-do-create z-each-effect ['] z-do-change z-each-effect ['] z-do-capture z-each-effect
	z-promote ;

\ --- the text of a move ---------------------------------------------------------------------
\ A move's code may begin with a branch over cells that are the items of its text.

1515804756 CONSTANT #z-text ( -- n )  \ Marks the items of a text.
: z-item ( value kind -- )  \ Add an item: 0 sign or word, 1 piece type, 2 player, 3 position, 4 number.
	16777216 * + , ;
: z-minus-item ( -- ) 0 0 z-item ;
: z-x-item ( -- ) 1 0 z-item ;
: z-equals-item ( -- ) 2 0 z-item ;
: z-on-item ( -- ) 3 0 z-item ;
: z-flip-item ( -- ) 4 0 z-item ;
: z-at-item ( -- ) 5 0 z-item ;
: z-partial-item ( -- ) 6 0 z-item ;
: z-type-item ( piece -- ) #PieceType AND 1 z-item ;
: z-player-item ( piece -- ) player-index 2 z-item ;
: z-position-item ( pos -- ) 3 z-item ;
: z-number-item ( n -- ) 4 z-item ;
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
	DUP #z-captured z-effect-of? z-first-capture z-ordered @ = OR IF z-append ELSE
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
: z-effect-text ( i -- )
	DUP #z-retyped z-effect-of? OVER #z-owned z-effect-of? OR
	IF z-equals-text ELSE z-other-text ENDIF ?? z-named ! ;
: z-effect-texts ( -- )
	0 BEGIN DUP z-ordered @ < WHILE DUP z-order[] @ z-effect-text 1+ REPEAT DROP ;
: z-lay-text ( -- )  \ Lay the items of the text of a move.
	COMPILE BRANCH HERE 0 , #z-text ,
	?? z-named ! z-equal OFF z-short OFF
	z-partial @ IF z-partial-item z-next-type @ z-number-item ENDIF
	['] z-drop-text z-each-movement ['] z-movement-text z-each-movement
	z-effect-texts
	z-promotion @ DUP IF z-equals-item z-type-item
		z-last DUP z-moves? OVER z-froms[] @ ?? = OR
		IF DROP ELSE z-on-item z-tos[] @ z-position-item ENDIF
	ELSE DROP ENDIF
	HERE SWAP ! ;

VARIABLE z-viewer ( -- addr )  \ Player for whom a goal is asked.

\ --- what a move does besides its edits --------------------------------------------------------

VARIABLE z-noting ( -- addr )  \ Must moves record where they begin and end?
: z-note ( from to -- )  \ Record from and to of the move, both plus 1; 0: none.
	z-last-to ! z-last-from ! turn-number z-noted ! ;
: z-forget-last ( -- )  \ At the end of a turn: a pass that the kernel added records nothing.
	z-noted @ turn-number 1- <> IF z-last-from OFF z-last-to OFF ENDIF ;
: z-lay-note ( -- )
	z-noting @ IF
		z-last z-froms[] @ 1+ COMPILE-LITERAL z-last z-tos[] @ 1+ COMPILE-LITERAL COMPILE z-note
	ENDIF ;
: z-continue-at ( n -- )  \ The piece on a position, plus 1, must continue.
	z-piece-square ! ;
: z-lay-partial ( -- )
	z-partial @ IF
		z-last z-tos[] @ 1+ COMPILE-LITERAL COMPILE z-continue-at
		z-next-type @ partial-move-type
	ENDIF ;

: z-store-of ( piece -- i )  \ Index of the store for pieces with this owner and type.
	DUP player-index $pieceCount @ * SWAP #PieceType AND + 1- ;
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
: z-lay-returns ( -- )  \ Pieces that leave the board go to their owners' stores.
	z-recycling @ IF
		0 BEGIN DUP z-leaving @ < WHILE
			DUP z-leavers[] @ z-store-of COMPILE-LITERAL COMPILE z-return 1+
		REPEAT DROP
	ENDIF ;

: z-record-victim ( i -- )  \ A piece of this owner and type has left the board in this turn.
	turn-number SWAP z-victims ! ;
: z-lay-victims ( -- )
	z-watching @ IF
		0 BEGIN DUP z-leaving @ < WHILE
			DUP z-leavers[] @ z-store-of COMPILE-LITERAL COMPILE z-record-victim 1+
		REPEAT DROP
	ENDIF ;
VARIABLE z-taken ( -- addr )  \ Captures of the moves made since it was cleared.
: z-took ( n -- )  \ Captures of a move; zrf-filters.4th explains the number.
	z-taken ! ;
CREATE z-kings ( -- addr )  \ For each type a byte: is it a type to which pieces are promoted?
	#PieceType 1+ ALLOT z-kings #PieceType 1+ ERASE
: z-king ( type -- )  \ Pieces are promoted to the type.
	z-kings + TRUE SWAP C! ;
: z-king? ( piece -- ? )
	#PieceType AND z-kings + C@ 0<> ;
: z-captured-others ( -- n )  \ Number of pieces of other players that leave the board.
	0 0 BEGIN DUP z-leaving @ < WHILE
		DUP z-leavers[] @ #Player AND $forPlayer @ <> IF SWAP 1+ SWAP ENDIF 1+
	REPEAT DROP ;
: z-captured-kings ( -- n )
	0 0 BEGIN DUP z-leaving @ < WHILE
		DUP z-leavers[] @ DUP z-king? SWAP #Player AND $forPlayer @ <> AND
		IF SWAP 1+ SWAP ENDIF 1+
	REPEAT DROP ;
: z-lay-count ( -- )
	z-counting @ IF
		z-captured-others 65536 *
		z-counting @ 2 = IF z-captured-kings 256 * + $piece @ z-king? IF 1+ ENDIF ENDIF
		COMPILE-LITERAL COMPILE z-took
	ENDIF ;
: z-captured? ( type -- ? )  \ Has a piece of the viewer left the board in the last turn?
	z-viewer @ OR z-store-of z-victims @ turn-number 1- = ;

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
	0 BEGIN DUP z-touches @ < WHILE DUP z-lay-edit 1+ REPEAT DROP ;

: z-not-simple ( i -- )  \ Clear z-found if the automatic text does not fit an effect.
	DUP #z-captured z-effect-of? IF z-places[] @ 0 z-tos[] @ = ELSE DROP TRUE ENDIF
	IF z-found OFF ENDIF ;
: z-simple? ( -- ? )  \ Is the move one movement with captures, or with a promotion?
	z-movements @ 1 = z-partial @ 0= AND z-recycling @ z-watching @ z-counting @ OR OR 0= AND
	IF 0 z-moves? ELSE FALSE ENDIF
	IF
		z-found ON ['] z-not-simple z-each-effect
		z-promotion @ IF z-effects @ IF z-found OFF ENDIF ENDIF
		z-found @
	ELSE FALSE ENDIF ;
: z-lay-capture ( i -- )
	z-places[] @ DUP board[] @ IF capture-at ELSE DROP ENDIF ;
: z-lay-simple ( -- )
	0 z-froms[] @ 0 z-tos[] @ move
	['] z-lay-capture z-each-effect
	z-promotion @ DUP IF 0 z-tos[] @ change-type-at ELSE DROP ENDIF ;

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
		z-work-out z-lay-text z-lay-edits z-lay-returns z-lay-victims z-lay-count
	ENDIF
	z-lay-note z-lay-partial ;
: z-lay-promotion ( -- )  \ The new type comes from the side's store.
	z-promoting @ z-promotion @ AND IF
		$forPlayer @ z-promotion @ OR z-store-of COMPILE-LITERAL COMPILE z-take
	ENDIF ;
: z-drops? ( -- ? )  \ Is the move a drop?
	z-movements @ IF 0 z-froms[] @ ?? = ELSE z-dropping @ ENDIF ;
: z-lacks-type? ( -- ? )  \ Is a promotion impossible, because the store is empty?
	z-promoting @ z-promotion @ AND IF
		$forPlayer @ z-promotion @ z-store @
		z-drops? z-promotion @ current-piece-type = AND IF 1- ENDIF 0> NOT
	ELSE FALSE ENDIF ;
: z-effect-first ( -- )  \ Put the last effect before the others.
	z-effects @ 1- DUP z-kinds[] @ OVER z-values[] @ ROT DUP z-places[] @ SWAP ( kind value place i )
	BEGIN DUP WHILE
		1- DUP z-kinds[] @ OVER 1+ z-kinds[] ! DUP z-values[] @ OVER 1+ z-values[] !
		DUP z-places[] @ OVER 1+ z-places[] !
	REPEAT DROP
	0 z-places[] ! 0 z-values[] ! 0 z-kinds[] ! ;
: z-drop-first-effect ( -- )  \ Remove the first effect.
	0 BEGIN 1+ DUP z-effects @ < WHILE
		DUP z-kinds[] @ OVER 1- z-kinds[] ! DUP z-values[] @ OVER 1- z-values[] !
		DUP z-places[] @ OVER 1- z-places[] !
	REPEAT DROP z-effects -- ;
: z-put-original ( -- )  \ A copy moves: put the original on its position.
	z-copying @ z-dropping @ NOT AND IF
		z-from @ DUP board[] @ DUP IF SWAP #z-created z-effect z-effect-first
		ELSE 2DROP z-copying OFF ENDIF
	ELSE z-copying OFF ENDIF ;
: z-finish ( -- )  \ Add the move that is pending; movements stay.
	z-lacks-type? IF EXIT ENDIF
	z-put-original z-movement z-save
	z-probing @ IF z-probe-all ELSE
		z-changes? IF z-lay 0 z-froms[] @ ?? = IF z-lay-take ENDIF z-lay-promotion add-move ENDIF
	ENDIF
	z-movements -- z-copying @ IF z-drop-first-effect ENDIF ;
: z-add-all-as ( type -- )  \ Add the pending move; its piece becomes another type.
	z-promotion ! z-finish z-promotion OFF ;
: z-end-add ( -- )  \ After the moves of one `add`: only saved movements stay pending.
	z-effects OFF z-partial OFF z-copying OFF ;
: z-add-all ( -- )  \ Add the pending move.
	z-promotion OFF z-finish z-end-add ;

: z-add ( -- )  \ Add a move from the block's position to the cursor, without effects.
	z-probing @ IF here z-reaches ELSE from here <> IF from here move add-move ENDIF ENDIF ;
: z-add-as ( type -- )  \ The same; the piece becomes another type.
	from here = IF z-begin z-add-all-as ELSE
		z-probing @ IF DROP here z-reaches ELSE from here move change-type add-move ENDIF
	ENDIF ;
: z-drop ( -- )  \ Add a drop on the cursor, without effects.
	z-dropped COMPILE-LITERAL here COMPILE-LITERAL COMPILE (create) z-lay-take add-move ;

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

\ --- the end of a game --------------------------------------------------------------------------
\ Of several goals that hold at once the one with the lowest rank counts: 1 the mover has won,
\ 2 the mover has lost, 3 another player has won, 4 another has lost, 5 a count,
\ 6 draw, 7 draw by the third occurrence or without a move.

VARIABLE z-rank ( -- addr )  \ Best rank found.
VARIABLE z-verdict ( -- addr )  \ Its result for the player to move.

: z-to-move ( -- player )  \ The player to move; for a chance player, the next player that is none.
	turn-offset BEGIN
		DUP turn-offset-to-player player-index CELLS $engines @ + @ ['] $RandomMoveEngine =
	WHILE next-turn-offset REPEAT turn-offset-to-player ;
: z-no-result ( -- )
	1000 z-rank ! #UnknownScore z-verdict ! ;
: z-judge ( result rank -- )  \ Keep the result if no better one is known.
	DUP z-rank @ < IF z-rank ! z-verdict ! ELSE 2DROP ENDIF ;
: z-rank-of ( player rank -- rank' )  \ The rank of a verdict on a player: 2 more unless he moved.
	SWAP z-mover @ <> IF 2+ ENDIF ;
: z-won ( player ? -- )  \ The player has won, if the flag says so.
	IF DUP z-to-move = IF #WinScore ELSE #LossScore ENDIF SWAP 1 z-rank-of z-judge
	ELSE DROP ENDIF ;
: z-lost ( player ? -- )  \ The player has lost, if the flag says so.
	IF DUP z-to-move = IF #LossScore ELSE #WinScore ENDIF SWAP 2 z-rank-of z-judge
	ELSE DROP ENDIF ;
: z-drawn ( ? -- )  \ The game is a draw, if the flag says so.
	IF #DrawScore 6 z-judge ENDIF ;
\ The host generates a list, asks OnIsGameOver, and generates the list again, unless all memory is as
\ it was before the first list.  So what a list leaves behind is cleared when the game is judged.  Of
\ the arrays only the beginning is cleared; a list that uses more is generated again.
DEFER z-wipe-more ( -- )  \ Clear what other files of the library leave behind.
: z-no-more ( -- )
	;
' z-no-more IS z-wipe-more
: z-wipe-effects ( -- )
	0 z-kinds[] 64 ERASE 0 z-values[] 64 ERASE 0 z-places[] 64 ERASE 0 z-order[] 64 ERASE
	0 z-froms[] 16 ERASE 0 z-tos[] 16 ERASE ;
: z-wipe-board ( -- )
	z-stamps $positions @ CELLS ERASE z-cells $positions @ CELLS ERASE
	z-touched $positions @ CELLS ERASE 0 z-leavers[] 64 ERASE ;
: z-wipe ( -- )  \ Clear what the blocks of a list and the goals leave behind.
	0 DUP z-from ! DUP z-to ! DUP z-mark ! DUP z-dropping ! DUP z-copying ! DUP z-next-type !
	DUP z-partial ! DUP z-promotion ! DUP z-movements ! DUP z-effects ! DUP z-touches !
	DUP z-leaving ! DUP z-named ! DUP z-equal ! DUP z-short ! DUP z-ordered ! DUP z-place !
	DUP z-found ! DUP z-viewer ! DUP z-rank ! DUP z-verdict !
	z-stamp @ IF z-wipe-board DUP z-stamp ! ENDIF DROP
	z-wipe-effects z-wipe-more ;
: z-result ( -- result )
	z-verdict @ z-wipe ;
: z-last-mover ( -- player )  \ The player who moved last.
	z-mover @ ;
: z-turn-is-over? ( -- ? )  \ Has a turn been completed, or can nobody move at the start?
	$partial @ NOT turn-number 1 > stalemate? OR AND ;

DEFER z-in-check? ( player -- ? )  \ Is a royal piece of the player attacked?
: z-no-royals ( player -- ? )
	DROP FALSE ;
' z-no-royals IS z-in-check?
: z-no-moves? ( -- ? )  \ Is the viewer to move, without a legal move but passes?
	z-viewer @ current-player = IF
		move-count DUP 0= SWAP 1 = $passed @ AND OR
	ELSE FALSE ENDIF ;
: z-mated? ( -- ? )  \ Has the viewer no legal move, and is a royal piece of his attacked?
	z-no-moves? IF z-viewer @ z-in-check? ELSE FALSE ENDIF ;
: z-stalemated? ( -- ? )  \ Has the viewer no legal move at all, and is no royal piece attacked?
	z-no-moves? stalemate? AND IF z-viewer @ z-in-check? NOT ELSE FALSE ENDIF ;
\ The key of each position by turn number; moves that are taken back leave later keys, which are
\ written again before they are read.
4096 [] z-keys[] ( i -- addr )  \ Keys of the last 4096 turns.
: z-key-of ( turn -- addr )  \ Where the key of a turn is.
	4095 AND z-keys[] ;
: z-key ( -- n )  \ A hash of pieces, stores and turn (FNV; 16777619 is its prime of 32 bits).
	turn-offset z-piece-square $board @ DO I @ XOR 16777619 * CELLSIZE +LOOP ;
: z-note-position ( -- )  \ At the beginning of a turn: store the key.
	$partial @ NOT IF z-key turn-number z-key-of ! ENDIF ;
: z-repetition? ( -- ? )  \ Does the position occur for the third time?
	turn-number z-key-of @ 0 turn-number 1- turn-number 4095 - 0 MAX ( key times turn first )
	BEGIN 2DUP > WHILE
		OVER z-key-of @ 4 PICK = IF ROT 1+ ROT ROT ENDIF
		SWAP 1- SWAP
	REPEAT 2DROP SWAP DROP 1 > ;

CREATE z-uncounted ( -- addr )  \ For each type a byte: does it not count as a piece?
	#PieceType 1+ ALLOT z-uncounted #PieceType 1+ ERASE
: z-not-counted ( type -- )  \ Do not count a type where pieces of all types are counted.
	z-uncounted + TRUE SWAP C! ;
: z-counts? ( piece type -- ? )  \ Is it a piece of that type?  Type 0: of any.
	DUP IF SWAP #PieceType AND = ELSE
		DROP DUP #PieceType AND z-uncounted + C@ IF DROP FALSE ENDIF 0<>
	ENDIF ;
: z-store-count ( type player -- n )  \ Number of pieces in the player's store.
	SWAP DUP IF SWAP z-store @ ELSE
		DROP 0 $pieceCount @ BEGIN DUP WHILE ( player n type )
			DUP z-uncounted + C@ NOT IF 2 PICK OVER z-store @ ROT + SWAP ENDIF 1-
		REPEAT DROP SWAP DROP
	ENDIF ;
: z-all-stores ( type -- n )  \ Number of pieces in the stores of all players.
	0 $playerCount @ BEGIN DUP WHILE
		1- 2 PICK OVER CELLS $players @ + @ EXECUTE z-store-count ROT + SWAP
	REPEAT DROP SWAP DROP ;
: z-own-count ( type -- n )  \ Number of the viewer's pieces on the board.
	0 $positions @ BEGIN 1- DUP -1 > WHILE
		DUP board[] @ DUP #Player AND z-viewer @ = IF
			3 PICK z-counts? IF SWAP 1+ SWAP ENDIF
		ELSE DROP ENDIF
	REPEAT DROP SWAP DROP ;
: z-total-count ( type -- n )  \ Number of all players' pieces on the board.
	0 $positions @ BEGIN 1- DUP -1 > WHILE
		DUP board[] @ 3 PICK z-counts? IF SWAP 1+ SWAP ENDIF
	REPEAT DROP SWAP DROP ;
: z-own-at? ( pos type -- ? )  \ Is the viewer's piece of that type there?
	z-viewer @ OR SWAP board[] @ #PiecePlayer AND = ;
: z-any-at? ( pos type -- ? )  \ Is a piece of that type there?
	SWAP board[] @ #PieceType AND = ;
: z-opponent-at? ( pos type -- ? )  \ Is another player's piece of that type there?
	SWAP board[] @ SWAP OVER #PieceType AND = SWAP #Player AND z-viewer @ <> AND ;

VARIABLE z-most ( -- addr )  \ Most pieces of a player.
VARIABLE z-counted ( -- addr )  \ The player who has them; 0: several.
VARIABLE z-leader ( -- addr )  \ The winner; 0: none.
: z-begin-count ( -- )
	-1 z-most ! ;
: z-compare ( player -- )  \ Count the pieces of a player.
	DUP z-viewer ! 0 z-own-count ( player n )
	DUP z-most @ > IF z-most ! z-counted ! ELSE
		z-most @ = IF z-counted OFF ENDIF DROP
	ENDIF ;
: z-end-count ( -- )  \ The player with the most pieces has won.
	z-counted @ DUP IF z-to-move = IF #WinScore ELSE #LossScore ENDIF
	ELSE DROP #DrawScore ENDIF 5 z-judge ;

: z-somewhere? ( 'x -- ? )  \ Does a pattern ( -- ? ) fit at some position, from the viewer's view?
	$playerOffset @ >R z-side-offset @ >R
	z-viewer @ player-index CELLS DUP $playerOffset ! z-side-offset !
	$positions @ BEGIN 1- DUP -1 > IF 2DUP to EXECUTE NOT ELSE FALSE ENDIF WHILE REPEAT
	R> z-side-offset ! R> $playerOffset ! SWAP DROP -1 > ;

: z-generate ( -- )  \ A list of the moves of the turn; $DeallocateMoves removes it.
	for-player FALSE of-type $GenerateMoves ;
: z-idle? ( -- ? )  \ Has the player to move no move?
	z-generate move-count 0= $DeallocateMoves ;
: z-random? ( -- ? )  \ Is a chance player to move?
	current-player player-index CELLS $engines @ + @ ['] $RandomMoveEngine = ;
: z-skip-random ( -- )  \ Skip the turns of chance players without a move.
	$turnLimit @ #TurnOrderCells CELLS / BEGIN
		DUP IF z-random? IF z-idle? ELSE FALSE ENDIF ELSE FALSE ENDIF
	WHILE 1- OnNextTurn z-note-position REPEAT DROP ;

\ --- three and more players -----------------------------------------------------------------------
\ A player who has lost drops out; the last one left has won.  The result is worked out when a turn
\ ends, because the player to move must be the winner when the host asks.

: z-out? ( player -- ? )  \ Has the player dropped out?
	player-index z-outs @ 0<> ;
VARIABLE z-losers ( -- addr )  \ Number of players who drop out now.
: z-crowd-won ( player ? -- )
	IF DUP z-out? NOT IF
		DUP 1 z-rank-of DUP z-rank @ < IF z-rank ! z-leader ! ELSE 2DROP ENDIF
	ELSE DROP ENDIF ELSE DROP ENDIF ;
: z-crowd-lost ( player ? -- )
	IF DUP z-out? NOT IF TRUE SWAP player-index z-outs ! z-losers ++ ELSE DROP ENDIF
	ELSE DROP ENDIF ;
: z-crowd-drawn ( ? -- )
	IF 6 z-rank @ < IF 6 z-rank ! z-leader OFF ENDIF ENDIF ;
: z-crowd-count ( -- )  \ The game ends by a count.
	5 z-rank @ < IF 5 z-rank ! z-counted @ z-leader ! ENDIF ;
: z-find-turn ( player -- off )  \ A turn of the player.
	$turnLimit @ BEGIN #TurnOrderCells CELLS - 2DUP turn-offset-to-player <> OVER 0> AND WHILE REPEAT
	SWAP DROP ;
: z-end-game ( -- )  \ The game is over: the winner, if there is one, becomes the player to move.
	z-leader @ DUP IF DUP z-over ! z-find-turn $SetTurn ELSE DROP TRUE z-over ! ENDIF ;
: z-crowd-result ( -- result )
	z-over @ DUP IF TRUE = IF #DrawScore ELSE #WinScore ENDIF ELSE DROP #UnknownScore ENDIF ;
VARIABLE z-skips ( -- addr )  \ Number of turns that may still be skipped.
: z-next-turn ( -- )  \ The next turn of a player who has not dropped out.
	BEGIN turn-offset next-turn-offset $SetTurn current-player z-out? NOT UNTIL ;
: z-begin-crowd ( -- )
	1000 z-rank ! z-losers OFF ;
: z-skip-turn ( -- ? )  \ Skip the turn of a player without a move; it is a draw if nobody has one.
	z-over @ IF FALSE ELSE z-idle? ENDIF IF
		z-skips @ 0= IF z-leader OFF z-end-game FALSE ELSE
			z-skips -- z-next-turn z-note-position TRUE
		ENDIF
	ELSE FALSE ENDIF ;
: z-last-left ( player -- )  \ If the player has not dropped out, count him, and remember him.
	DUP z-out? IF DROP ELSE z-viewer ! z-rank ++ ENDIF ;
: z-begin-left ( -- )
	z-rank OFF ;
: z-end-left ( -- )  \ If one player is left, he has won; if none is left, it is a draw.
	z-rank @ 2 < IF z-rank @ IF z-viewer @ ELSE 0 ENDIF z-leader ! z-end-game ENDIF ;
