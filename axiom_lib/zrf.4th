\ zrf.4th: words that scripts compiled from rule files of Zillions of Games (.zrf) use.

\ This file owns the tables of a compiled game (directions, zones, initial attributes), the state of
\ a running block of move code, and the board after its move.  zrf-moves.4th and zrf-goals.4th come
\ after it.  The script has defined the board and the players before, with the board variables
\ z-stores (directly after the positions), z-piece-square, z-last-from, z-last-to, z-noted, z-mover,
\ z-over, z-cause and others.
\ Every name but one begins with z-, so that names of a game cannot hide one.

\ For searches: no block depends on another one, and judging goals changes nothing on which moves
\ depend, and asks at most whether there are moves.
TRUE CONSTANT independent-moves ( -- ? )
TRUE CONSTANT hooks-keep-moves ( -- ? )

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
{scratch
VARIABLE z-side-offset ( -- addr )  \ Offset of the side in tables with a cell per player.
scratch}
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
$playerCount @ 1+ #PlayerBase * CONSTANT #z-pieces ( -- n )  \ Numbers of owners and types together.
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

: z-turn-order ( n -- addr )  \ Begin an order of n turns; the words of {turn-order may follow.
	$repeatOffset OFF HERE DUP $turnOrder ! SWAP #TurnOrderCells * CELLS ALLOT ;
: z-turn ( addr -- addr' )  \ Like {turn}, in an order of any length.
	' SWAP 2DUP ! CELLSIZE + 2DUP ! CELLSIZE + #NoMoveType OVER ! CELLSIZE + SWAP DROP ;
: z-end-turn-order ( addr -- )
	$turnOrder @ - $turnLimit ! ;

VARIABLE z-initials ( -- addr )  \ Initial attributes of each piece type, as bits of a board cell.
: z-initial ( type -- bits )  \ Initial attributes of a piece type.
	z-initials @ DUP IF SWAP CELLS + @ ELSE 2DROP 0 ENDIF ;
: z-has ( bits type -- )  \ Set the initial attributes of a piece type.
	z-initials @ NOT IF
		z-aligned HERE z-initials ! HERE $pieceCount @ 1+ CELLS DUP ALLOT ERASE
	ENDIF
	CELLS z-initials @ + ! ;
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
: z-active-enemy-at? ( pos -- ? )  \ Is there a piece of another player, but no neutral one, at pos?
	DUP z-enemy-at? SWAP neutral-piece-at? NOT AND ;
: z-link ( pos dir -- pos' )  \ Where the link of a direction leads; dir is its number from 0.
	CELLS $directions @ + @ CFA>PFA SWAP CELLS + @ ;
: z-adjacent? ( pos 'x -- ? )  \ Does a link lead from the position to one that x ( pos -- ? ) accepts?
	$directionCount @ BEGIN
		DUP IF
			2 PICK OVER 1- z-link
			DUP ?? = IF DROP FALSE ELSE 2 PICK EXECUTE ENDIF NOT
		ELSE FALSE ENDIF
	WHILE 1- REPEAT 0<> >R 2DROP R> ;
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
\ Later blocks use nothing of it, except what zrf-attacks.4th works out once for each list.  The hook
\ OnGenerateMoves, which runs before each list and each part of one, forgets that.  The sections
\ {scratch also contain words and settings, which do not change during a game.

{scratch

VARIABLE z-from ( -- addr )  \ From of the current movement.
VARIABLE z-to ( -- addr )  \ To of the current movement; no position if unset.
VARIABLE z-mark ( -- addr )  \ Mark.
VARIABLE z-dropping ( -- addr )  \ Is the current movement the drop?
VARIABLE z-copying ( -- addr )  \ Does the piece stay, and a copy move?
VARIABLE z-promoting ( -- addr )  \ Do promotions take the new type from the store?
VARIABLE z-next-type ( -- addr )  \ Type of the moves that must follow a partial move.
VARIABLE z-partial ( -- addr )  \ Is the move partial?
VARIABLE z-promotion ( -- addr )  \ Type that the last moved piece becomes; 0: none.
VARIABLE z-renewing ( -- addr )  \ Do promoted pieces get the attributes of new pieces?
VARIABLE z-promoting-early ( -- addr )  \ Do promotions come before changes of the type?
VARIABLE z-first-create ( -- addr )  \ Of two pieces created on one position, does the first one stay?
\ The same as $uniqueMoves, of which searches must see that no move word reads it.
VARIABLE z-comparing ( -- addr )  \ Are equal moves of a list counted once?
VARIABLE z-recording ( -- addr )  \ Is any of the following four on?
VARIABLE z-recycling ( -- addr )  \ Do pieces that leave the board return to their owner's store?
VARIABLE z-counting ( -- addr )  \ Are captures counted?  2: also kings.
VARIABLE z-counting-captures ( -- addr )  \ Is counted how many pieces each player captures, for goals?
VARIABLE z-watching ( -- addr )  \ Are pieces that leave the board recorded, for goals?

256 CONSTANT #z-movements ( -- n )  \ Maximum number of movements in a move.
VARIABLE z-movements ( -- addr )  \ Number of saved movements.
#z-movements [] z-froms[] ( i -- addr )  \ Where a movement begins; no position for a drop.
#z-movements [] z-tos[] ( i -- addr )  \ Where it ends.

1024 CONSTANT #z-effects ( -- n )  \ Maximum number of pending effects.
VARIABLE z-effects ( -- addr )  \ Number of pending effects.
VARIABLE z-used ( -- addr )  \ Their kinds, as bits.
#z-effects [] z-kinds[] ( i -- addr )  \ Kind of an effect, see below.
#z-effects [] z-values[] ( i -- addr )  \ New piece, type, owner or attribute.
#z-effects [] z-places[] ( i -- addr )  \ Its position.

1 CONSTANT #z-captured ( -- n )  \ Remove the piece.
2 CONSTANT #z-created ( -- n )  \ Put a piece.
4 CONSTANT #z-retyped ( -- n )  \ Change the type.
8 CONSTANT #z-owned ( -- n )  \ Change the owner.
16 CONSTANT #z-flipped ( -- n )  \ Give the piece to the next player.
32 CONSTANT #z-set ( -- n )  \ Set an attribute.
64 CONSTANT #z-cleared ( -- n )  \ Clear an attribute.
124 CONSTANT #z-changing ( -- n )  \ All kinds but the first two.
: z-used? ( kinds -- n )  \ Are there effects of any of these kinds?  0: no.
	z-used @ AND ;
: z-no-effects ( -- )  \ Forget the pending effects.
	z-effects OFF z-used OFF ;

: z-begin ( -- )  \ Begin a block of moves.
	from z-from ! ?? z-to !
	0 DUP z-movements ! DUP z-effects ! DUP z-used ! DUP z-dropping ! DUP z-partial ! z-copying ! ;
: z-begin-drop ( -- )  \ Begin a block of drops.
	z-begin z-dropping ON ;

: z-to-or-here ( -- pos )  \ To of the current movement: the cursor, if it is unset.
	z-to @ DUP ?? = IF DROP here ENDIF ;
: z-save ( from to -- )  \ Save a movement.
	z-movements @ #z-movements >= ABORT" a move has too many movements: the limit is 256"
	z-movements @ z-tos[] ! z-movements @ z-froms[] ! z-movements ++ ;
: z-movement ( -- from to )  \ The current movement.
	z-dropping @ IF ?? ELSE z-from @ ENDIF z-to-or-here ;
: z-cascade ( -- )  \ Save the movement, and begin another one at the cursor.
	z-movement z-save here z-from ! ?? z-to ! z-dropping OFF ;

: z-effect ( value pos kind -- )  \ Add a pending effect.
	z-effects @ #z-effects >= ABORT" a move has too many effects: the limit is 1024"
	DUP z-used @ OR z-used !
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
: z-no-touches ( -- )  \ Begin to work out the board after a move.
	z-stamp ++ z-touches OFF ;
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
: z-each ( 'x n -- )  \ Run a word ( i -- ) for each i below n.
	DUP 1 = IF DROP 0 SWAP EXECUTE ELSE
		0 BEGIN 2DUP > WHILE
			2 PICK OVER SWAP EXECUTE 1+
		REPEAT 2DROP DROP
	ENDIF ;
: z-each-movement ( 'x -- )  \ Run a word ( i -- ) for each movement.
	z-movements @ z-each ;
: z-each-effect ( 'x -- )  \ Run a word ( i -- ) for each pending effect.
	z-effects @ z-each ;
: z-each-effect-back ( 'x -- )  \ The same, from the last to the first.
	z-effects @ BEGIN DUP WHILE 1- 2DUP SWAP EXECUTE REPEAT 2DROP ;

: z-effect-of? ( i kind -- ? )
	SWAP z-kinds[] @ = ;
: z-copy-in-place? ( i -- ? )  \ Does the effect put the original of a copy where the copy is?
	1+ z-effects @ = z-copying @ AND
	IF z-movements @ 1- DUP z-froms[] @ SWAP z-tos[] @ = ELSE FALSE ENDIF ;
: z-do-create ( i -- )
	DUP #z-created z-effect-of? IF
		DUP z-copy-in-place? NOT IF DUP z-places[] @ z-now-at z-leave ENDIF
		DUP z-values[] @ SWAP z-places[] @ z-put
	ELSE DROP ENDIF ;
: z-player ( i -- player )  \ A player by its index.
	CELLS $players @ + @ EXECUTE ;
: z-next-player ( player -- player' )  \ The player after it in the order of the players.
	player-index 1+ DUP $playerCount @ = IF DROP 0 ENDIF z-player ;
CREATE z-flips ( -- addr )  \ For each player the one to whom `flip` gives a piece.
	$playerCount @ CELLS ALLOT
: z-flips-to ( player player' -- )  \ Pieces of the first player go to the second one.
	SWAP player-index CELLS z-flips + ! ;
: z-fill-flips ( -- )
	$playerCount @ BEGIN DUP WHILE
		1- DUP z-player DUP z-next-player z-flips-to
	REPEAT DROP ;
z-fill-flips
: z-changed ( piece i -- piece' )  \ The piece after a change.
	DUP z-values[] @ SWAP z-kinds[] @
	DUP #z-retyped = IF DROP SWAP #PieceType INVERT AND OR ELSE
	DUP #z-owned = IF DROP SWAP #Player INVERT AND OR ELSE
	DUP #z-flipped = IF
		2DROP DUP player-index CELLS z-flips + @ SWAP #Player INVERT AND OR ELSE
	#z-set = IF OR ELSE INVERT AND ENDIF ENDIF ENDIF ENDIF ;
: z-do-change ( i -- )
	DUP z-kinds[] @ #z-changing AND IF
		DUP z-places[] @ DUP z-now-at ( i pos piece )
		DUP IF ROT z-changed SWAP z-put ELSE 2DROP DROP ENDIF
	ELSE DROP ENDIF ;
: z-do-capture ( i -- )
	DUP #z-captured z-effect-of? IF
		z-places[] @ DUP z-now-at DUP IF z-leave 0 SWAP z-put ELSE 2DROP ENDIF
	ELSE DROP ENDIF ;
: z-last ( -- i )  \ The last movement that has a piece; the first movement if none has.
	z-movements @ 1- BEGIN DUP 0> IF DUP z-moving 0= ELSE FALSE ENDIF WHILE 1- REPEAT ;
: z-promoted ( piece -- piece' )  \ The piece with its new type, and its attributes or new ones.
	z-renewing @ IF #Player AND z-promotion @ z-new-piece ELSE
		#PieceType INVERT AND z-promotion @ OR
	ENDIF ;
: z-promote ( -- )
	z-promotion @ IF
		z-last z-tos[] @ DUP z-now-at DUP IF
			z-promoted SWAP z-put
		ELSE 2DROP ENDIF
	ENDIF ;
: z-work-out ( -- )  \ Work out the board after the move.
	z-no-touches z-leaving OFF
	['] z-lift z-each-movement ['] z-land z-each-movement
	#z-created z-used? IF
		['] z-do-create z-first-create @ IF z-each-effect-back ELSE z-each-effect ENDIF
	ENDIF
	z-promoting-early @ IF z-promote ENDIF
	#z-changing z-used? IF ['] z-do-change z-each-effect ENDIF
	#z-captured z-used? IF ['] z-do-capture z-each-effect ENDIF
	z-promoting-early @ NOT IF z-promote ENDIF ;

scratch}
