\ zrf-attacks.4th: attacks, for rule files of Zillions that ask for them; zrf-goals.4th comes before it.

\ This file owns the question whether a piece could come to a position or capture there, and the
\ removal of moves that leave a royal piece attacked.  To answer, the blocks of the attackers' moves
\ run while z-probing is on: `add` then records a hit in place of a move.

{scratch

VARIABLE z-asker ( -- addr )  \ The side that asks.
VARIABLE z-asked-type ( -- addr )  \ Type of the moves that count; 0: all.
VARIABLE z-own-pieces ( -- addr )  \ On: the asker's own pieces count, not the others'.

: z-attacker? ( piece -- ? )  \ Is it a piece that can attack?  The script defines #z-bystander.
	#Player AND DUP IF
		z-own-pieces @ IF z-asker @ = ELSE DUP #z-bystander AND 0= SWAP z-asker @ <> AND ENDIF
	ENDIF ;
\ The compiler knows which positions each block can touch, from each position.  A set of positions is
\ a row of bits.  The table of a block has a row for each position.  The list of a piece begins with
\ the table of all its blocks together, and has a pair for each block: its table, and whether the block
\ depends on more than the pieces on these positions.

VARIABLE z-tables ( -- addr )  \ For each owner and type the list, 0 for none; 0: the game has no lists.
: z-begin-tables ( -- )
	z-aligned HERE z-tables ! HERE $playerCount @ $pieceCount @ * CELLS DUP ALLOT ERASE ;
: z-touches-as ( player type -- )  \ Enter the list named next.
	' CFA>PFA ROT ROT OR z-store-of CELLS z-tables @ + ! ;
: z-blank ( n -- )  \ Lay cells of zeros.
	CELLS HERE OVER ALLOT SWAP ERASE ;
$positions @ 31 + 32 / CELLS CONSTANT #z-row ( -- n )  \ Size of a row.
CREATE z-bits ( -- addr )  \ The bits of a cell.
	32 CELLS ALLOT
: z-fill-bits ( -- )
	1 0 BEGIN DUP 32 < WHILE 2DUP CELLS z-bits + ! SWAP 2* SWAP 1+ REPEAT 2DROP ;
z-fill-bits
: z-bit ( pos -- mask )  \ Bit of a position in its cell.
	31 AND CELLS z-bits + @ ;
: z-bit-cell ( pos -- off )  \ Offset of its cell in a row.
	32 / CELLS ;

VARIABLE z-bit-asked ( -- addr )  \ Bit of the position that may be attacked.
VARIABLE z-cell-asked ( -- addr )  \ Offset of its cell in a row.
VARIABLE z-place-asked ( -- addr )  \ Offset of that cell in the table of a block, for one piece.
: z-touches? ( table -- ? )  \ Can the block touch the position?
	z-place-asked @ + @ z-bit-asked @ AND ;
: z-prepare-target ( pos -- )
	DUP z-bit z-bit-asked ! z-bit-cell z-cell-asked ! ;
: z-list-of ( pos -- list )  \ List of the piece on a position; 0 if it cannot touch the target.
	DUP #z-row * z-cell-asked @ + z-place-asked !
	board[] @ z-store-of CELLS z-tables @ + @
	DUP IF DUP @ z-touches? IF CELLSIZE + ELSE DROP 0 ENDIF ENDIF ;

: z-try-pair ( addr -- )  \ Run a block, if its type of moves counts.
	DUP CELLSIZE + @ z-asked-type @ DUP IF = ELSE 2DROP TRUE ENDIF
	IF $from @ $pos ! @ $CatchExit ENDIF DROP ;
: z-try-pairs ( addr n -- )  \ Run the blocks of a list until one hits.
	BEGIN DUP z-hit @ NOT AND WHILE >R DUP z-try-pair 2 CELLS + R> 1- REPEAT 2DROP ;
: z-try-touching ( list addr n -- )  \ The same; only blocks that can touch the target.
	BEGIN DUP z-hit @ NOT AND WHILE
		2 PICK @ z-touches? IF OVER z-try-pair ENDIF
		1- SWAP 2 CELLS + SWAP ROT 2 CELLS + ROT ROT
	REPEAT 2DROP DROP ;
: z-set-piece ( pos -- addr n )  \ Blocks of the piece on a position, which is the one that moves now.
	DUP $from ! board[] @ DUP $piece !
	DUP #Player AND $forPlayer ! DUP player-index CELLS DUP $playerOffset ! z-side-offset !
	#PieceType AND z-record #movesCell CELLS + @
	DUP IF EXECUTE DUP CELLSIZE + SWAP @ ELSE 0 ENDIF ;
: z-try-piece ( pos -- )  \ Run the blocks of the piece on a position.
	z-tables @ IF
		DUP z-list-of DUP IF SWAP z-set-piece z-try-touching ELSE 2DROP ENDIF
	ELSE z-set-piece z-try-pairs ENDIF ;
: z-try-pieces ( -- )  \ Run the blocks of all attackers.
	z-target @ z-prepare-target
	$positions @ BEGIN 1- DUP -1 > z-hit @ NOT AND WHILE
		DUP z-target @ <> IF
			DUP board[] @ z-attacker? IF DUP z-try-piece ENDIF
		ENDIF
	REPEAT DROP ;
VARIABLE z-search ( -- addr )  \ The word that runs the blocks of attackers.
' z-try-pieces z-search !
: z-probe ( pos piece -- ? )  \ Is the position attacked if that piece stands on it?
	z-side-offset @ >R $skipWords @ >R SWAP DUP z-target ! board[] @ >R
	z-target @ board[] !
	z-hit OFF z-probing ON
	z-search @ $CatchExit DROP
	z-probing OFF
	R> z-target @ board[] ! R> $skipWords ! R> z-side-offset ! z-hit @ ;

: z-owned-by ( pos player -- pos piece )  \ The piece on the position as if it were the player's.
	OVER board[] @ #Player INVERT AND OR ;

\ --- questions of move code: the state of the running block is kept ----------------------------

#z-movements [] z-kept-froms[] ( i -- addr )
#z-movements [] z-kept-tos[] ( i -- addr )
#z-effects [] z-kept-kinds[] ( i -- addr )
#z-effects [] z-kept-values[] ( i -- addr )
#z-effects [] z-kept-places[] ( i -- addr )
: z-keep-arrays ( -- )
	z-movements @ DUP IF
		0 z-froms[] 0 z-kept-froms[] 2 PICK MOVE 0 z-tos[] 0 z-kept-tos[] 2 PICK MOVE
	ENDIF DROP
	z-effects @ DUP IF
		0 z-kinds[] 0 z-kept-kinds[] 2 PICK MOVE 0 z-values[] 0 z-kept-values[] 2 PICK MOVE
		0 z-places[] 0 z-kept-places[] 2 PICK MOVE
	ENDIF DROP ;
: z-restore-arrays ( -- )
	z-movements @ DUP IF
		0 z-kept-froms[] 0 z-froms[] 2 PICK MOVE 0 z-kept-tos[] 0 z-tos[] 2 PICK MOVE
	ENDIF DROP
	z-effects @ DUP IF
		0 z-kept-kinds[] 0 z-kinds[] 2 PICK MOVE 0 z-kept-values[] 0 z-values[] 2 PICK MOVE
		0 z-kept-places[] 0 z-places[] 2 PICK MOVE
	ENDIF DROP ;
DEFER z-keep-flags ( -- )
DEFER z-restore-flags ( -- )
: z-no-flags ( -- )
	;
' z-no-flags IS z-keep-flags
' z-no-flags IS z-restore-flags

: z-probe-inside ( pos piece -- ? )  \ The same as z-probe, in a running block.
	z-keep-arrays z-keep-flags
	z-from @ >R z-to @ >R z-mark @ >R z-movements @ >R z-effects @ >R z-used @ >R
	z-dropping @ >R z-block @ >R z-partial @ >R z-copying @ >R z-promotion @ >R
	$positions @ CELLS z-bank !
	z-probe
	z-bank OFF
	R> z-promotion ! R> z-copying ! R> z-partial ! R> z-block ! R> z-dropping !
	R> z-used ! R> z-effects ! R> z-movements ! R> z-mark ! R> z-to ! R> z-from !
	z-restore-flags z-restore-arrays ;
: z-ask ( pos mtype -- pos ? )  \ Set the asker; FALSE inside an attacker's block.
	z-probing @ IF DROP FALSE ELSE z-asked-type ! $forPlayer @ z-asker ! TRUE ENDIF ;
: z-attacked? ( pos mtype -- ? )  \ Could a piece of another side take a piece of the side there?
	z-ask IF z-own-pieces OFF z-asker @ z-owned-by z-probe-inside ELSE DROP FALSE ENDIF ;
: z-other-owner ( pos -- player )  \ The owner of the piece there, if not the asker; else the next player.
	board[] @ #Player AND DUP 0= OVER z-asker @ = OR IF DROP z-asker @ z-next-player ENDIF ;
: z-defended? ( pos mtype -- ? )  \ Could a piece of the side take a piece of another side there?
	z-ask IF z-own-pieces ON DUP z-other-owner z-owned-by z-probe-inside ELSE DROP FALSE ENDIF ;

\ --- royal pieces -------------------------------------------------------------------------------

CREATE z-royals ( -- addr )  \ For each player and type a byte: is it royal?
	$playerCount @ $pieceCount @ * DUP ALLOT z-royals SWAP ERASE z-aligned
: z-royal ( player type -- )  \ Make a type royal for a player.
	OR z-store-of z-royals + TRUE SWAP C! ;
: z-royal? ( piece -- ? )  \ Is the piece royal?
	z-store-of z-royals + C@ 0<> ;
: z-checked-at? ( pos -- ? )  \ Is a royal piece of the asker on the position, and attacked?
	DUP board[] @ DUP #Player AND z-asker @ = IF
		DUP z-royal? IF z-probe ELSE 2DROP FALSE ENDIF
	ELSE 2DROP FALSE ENDIF ;
: z-ask-for ( player -- )  \ Ask for attacks on the pieces of a player.
	z-asker ! 0 z-asked-type ! z-own-pieces OFF ;
: z-find-check ( player -- ? )  \ Is a royal piece of the player attacked?
	z-ask-for
	$positions @ BEGIN 1- DUP -1 > IF DUP z-checked-at? NOT ELSE FALSE ENDIF WHILE REPEAT
	-1 > ;
' z-find-check IS z-in-check?
: z-type-in-check? ( type -- ? )  \ Is a piece of this type of the viewer attacked?
	z-viewer @ OR z-viewer @ z-ask-for
	$positions @ BEGIN 1- DUP -1 > IF
		2DUP board[] @ #PiecePlayer AND = IF DUP DUP board[] @ z-probe NOT ELSE TRUE ENDIF
	ELSE FALSE ENDIF WHILE REPEAT SWAP DROP -1 > ;

\ A move can open or close an attack on a royal piece only if it changes a dangerous position, one
\ that a block which can touch the royal piece can touch, too; if it puts another player's piece
\ somewhere; or if it puts a royal piece somewhere.  After a move the only royal piece is where it was
\ or on a position that has changed, and so are the attackers.

CREATE z-danger ( -- addr )  \ The set of dangerous positions.
	#z-row ALLOT
VARIABLE z-testing ( -- addr )  \ Must every move be tested?
VARIABLE z-royal-at ( -- addr )  \ Position of the side's only royal piece; -1: none, or several.
$positions @ [] z-attackers[] ( i -- addr )  \ Positions of the attackers.
VARIABLE z-attacker-count ( -- addr )  \ Their number.
$positions @ [] z-threats[] ( i -- addr )  \ Positions of those that can touch the only royal piece.
VARIABLE z-threat-count ( -- addr )  \ Their number.
: z-add-danger ( table pos -- )  \ Add the row of a position.
	#z-row * + #z-row BEGIN CELLSIZE - DUP -1 > WHILE
		2DUP + @ OVER z-danger + DUP @ ROT OR SWAP !
	REPEAT 2DROP ;
: z-note-block ( pos pair -- )  \ Enter the positions of a block that can touch the target.
	DUP @ z-touches? IF
		DUP CELLSIZE + @ IF z-testing ON ENDIF @ SWAP z-add-danger
	ELSE 2DROP ENDIF ;
: z-count-blocks ( pos -- n )  \ Number of blocks of the piece on a position.
	board[] @ #PieceType AND z-record #movesCell CELLS + @ DUP IF EXECUTE @ ENDIF ;
: z-note-threat ( pos -- )
	z-threat-count @ z-threats[] ! z-threat-count ++ ;
: z-note-piece ( pos -- )
	DUP z-list-of DUP IF
		OVER z-note-threat OVER z-count-blocks BEGIN DUP WHILE
			>R 2DUP z-note-block 2 CELLS + R> 1-
		REPEAT DROP
	ENDIF 2DROP ;
: z-note-attackers ( -- )  \ Enter the positions of all attackers.
	z-attacker-count OFF $positions @ BEGIN 1- DUP -1 > WHILE
		DUP board[] @ z-attacker? IF DUP z-attacker-count @ z-attackers[] ! z-attacker-count ++ ENDIF
	REPEAT DROP ;
: z-note-royal ( pos -- )  \ Enter the dangers of a royal piece.
	DUP z-prepare-target z-bit-asked @ z-cell-asked @ z-danger + DUP @ ROT OR SWAP !
	z-threat-count OFF z-attacker-count @ BEGIN DUP WHILE
		1- 2DUP z-attackers[] @ <> IF DUP z-attackers[] @ z-note-piece ENDIF
	REPEAT 2DROP ;
: z-own-royal? ( piece -- ? )  \ Is it a royal piece of the asker?
	DUP #Player AND z-asker @ = IF z-royal? ELSE DROP FALSE ENDIF ;
: z-note-royals ( -- n )  \ Enter the dangers of all royal pieces; their number.
	0 $positions @ BEGIN 1- DUP -1 > WHILE
		DUP board[] @ z-own-royal? IF DUP z-note-royal DUP z-royal-at ! SWAP 1+ SWAP ENDIF
	REPEAT DROP ;
64 CONSTANT #z-edits ( -- n )  \ Maximum number of changed positions that $Edits stores.
#z-edits 2* [] z-edits[] ( i -- addr )  \ Positions that the move being tested changes, and new pieces.
VARIABLE z-changes ( -- addr )  \ Their number.
: z-changed ( i -- pos )
	2* z-edits[] @ ;
: z-some-changed? ( 'x -- ? )  \ Does a word ( pos -- ? ) hold for a changed position?
	z-changes @ BEGIN
		DUP IF 1- 2DUP z-changed SWAP EXECUTE NOT ELSE DROP -1 FALSE ENDIF
	WHILE REPEAT SWAP DROP -1 > ;
: z-changes-much? ( piece -- ? )  \ Is it a piece that can change the verdict wherever it is put?
	DUP -1 = IF DROP TRUE ELSE
		DUP z-attacker? IF DROP TRUE ELSE z-own-royal? ENDIF
	ENDIF ;
: z-matters? ( i -- ? )  \ May a change change the verdict?
	2* z-edits[] DUP CELLSIZE + @ z-changes-much? IF DROP TRUE ELSE
		@ DUP z-bit-cell z-danger + @ SWAP z-bit AND 0<>
	ENDIF ;
: z-alters? ( move -- ? )  \ May the move change the verdict?
	0 z-edits[] #z-edits $Edits z-changes !
	z-testing @ z-changes @ #z-edits > OR IF TRUE ELSE
		z-changes @ BEGIN DUP IF 1- DUP z-matters? NOT ELSE DROP -1 FALSE ENDIF WHILE REPEAT -1 >
	ENDIF ;
: z-try-there ( pos -- hit? )  \ Run the blocks of the piece on a position, if it is an attacker.
	DUP board[] @ z-attacker? IF z-try-piece ELSE DROP ENDIF z-hit @ ;
: z-try-these ( addr n -- )  \ Run the blocks of the attackers on n positions, and on those that changed.
	z-target @ z-prepare-target
	BEGIN DUP z-hit @ NOT AND WHILE 1- OVER @ z-try-there DROP SWAP CELLSIZE + SWAP REPEAT 2DROP
	z-hit @ NOT IF ['] z-try-there z-some-changed? DROP ENDIF ;
: z-try-threats ( -- )  \ The only royal piece is where it was.
	0 z-threats[] z-threat-count @ z-try-these ;
: z-try-attackers ( -- )
	0 z-attackers[] z-attacker-count @ z-try-these ;
: z-exposed? ( -- ? )  \ Is a royal piece of the asker attacked after the move?
	z-royal-at @ 0< z-changes @ #z-edits > OR IF z-asker @ z-in-check? ELSE
		['] z-try-threats z-search ! z-royal-at @ z-checked-at?
		DUP NOT IF DROP ['] z-try-attackers z-search ! ['] z-checked-at? z-some-changed? ENDIF
		['] z-try-pieces z-search !
	ENDIF ;
: z-find-danger ( -- )  \ Once for each list.
	$forPlayer @ z-ask-for z-danger #z-row ERASE z-changes OFF -1 z-royal-at !
	z-tables @ 0= z-promoting @ OR z-testing !
	z-tables @ IF z-note-attackers z-note-royals 1 <> IF -1 z-royal-at ! ENDIF ENDIF
	z-exposed? IF z-testing ON ENDIF ;
VARIABLE z-move ( -- addr )  \ The move that is being tested.
VARIABLE z-unsafe ( -- addr )  \ Does it leave a royal piece of the side attacked?
: z-test-move ( -- )
	$CloneBoard z-move @ .moveCFA EXECUTE z-exposed? z-unsafe ! ;
VARIABLE z-test ( -- addr )  \ The word that sets z-unsafe for a move.
' z-test-move z-test !
: z-test-last ( -- )  \ The same, if parts of a series are not tested.
	$partial OFF $CloneBoard z-move @ .moveCFA EXECUTE
	$partial @ IF FALSE ELSE $forPlayer @ z-in-check? ENDIF z-unsafe ! ;
: z-keep-safe ( -- )  \ Remove moves that leave a royal piece attacked from the list.
	$FirstMove IF z-find-danger ENDIF
	$FirstMove BEGIN DUP WHILE
		z-unsafe OFF DUP z-pass? NOT IF
			DUP z-alters? IF DUP z-move ! z-test @ $CatchExit DROP ENDIF
		ENDIF
		DUP $NextMove SWAP z-unsafe @ IF $RemoveMove ELSE DROP ENDIF
	REPEAT DROP ;
: z-next-offset ( -- off )  \ The next turn of a player who has not dropped out; else the current one.
	z-turns turn-offset BEGIN
		next-turn-offset OVER IF DUP turn-offset-to-player z-out? ELSE FALSE ENDIF
	WHILE SWAP 1- SWAP REPEAT SWAP DROP ;
: z-moves-again? ( -- ? )  \ Does the player move the same pieces in the next turn?
	z-next-offset DUP turn-offset-to-player current-player =
	IF z-turn-side for-player = ELSE DROP FALSE ENDIF ;
: z-keep-safe-at-last ( -- )  \ The same in the last of several turns in a row.
	z-moves-again? NOT IF z-keep-safe ENDIF ;

scratch}
