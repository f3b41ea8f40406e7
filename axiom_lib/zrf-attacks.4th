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
\ a row of bits.  The table of a block has a row for each position; without a table, the block may
\ touch any position.  The list of a piece begins with the table of all its blocks together and their
\ number; four cells for each block follow: its table, whether it depends on more than the pieces on
\ these positions, its word, and its type of moves.

#z-pieces [] z-lists[] ( piece -- addr )  \ For each owner and type the list, 0 for none.
: z-attacks-by ( player type -- )  \ Enter the list named next.
	' CFA>PFA ROT ROT OR z-lists[] ! ;
: z-blocks-of ( list -- addr n )  \ The blocks of a list, and their number.
	CELLSIZE + DUP CELLSIZE + SWAP @ ;
: z-next-block ( addr -- addr' )
	4 CELLS + ;
31 CONSTANT #z-bits ( -- n )  \ Bits of a cell in a row.
\ The bit of a cell that belongs to no position.
-2147483648 CONSTANT #z-other-bit ( -- n )
$positions @ #z-bits 1- + #z-bits / CELLS CONSTANT #z-row ( -- n )  \ Size of a row.
$positions @ [] z-bits[] ( pos -- addr )  \ Bit of a position in its cell.
$positions @ [] z-bit-cells[] ( pos -- addr )  \ Offset of its cell in a row.
: z-fill-bits ( -- )
	$positions @ BEGIN DUP WHILE
		1- DUP #z-bits / CELLS OVER z-bit-cells[] !
		1 OVER #z-bits MOD BEGIN DUP WHILE SWAP 2* SWAP 1- REPEAT DROP OVER z-bits[] !
	REPEAT DROP ;
z-fill-bits
: z-bit ( pos -- mask )  \ Bit of a position in its cell.
	z-bits[] @ ;
: z-bit-cell ( pos -- off )  \ Offset of its cell in a row.
	z-bit-cells[] @ ;

\ Tables are filled by walks, which are steps and slides from all positions at once, and by
\ `z-touch-all`.
VARIABLE z-rows ( -- addr )  \ The table that is being filled.
$positions @ [] z-walkers[] ( row -- addr )  \ Where the walk of each row is; no position off the board.
: z-touch-row ( pos row -- )  \ Enter a position.
	#z-row * OVER z-bit-cell + z-rows @ + DUP @ ROT z-bit OR #z-other-bit OR SWAP ! ;
: z-again ( -- )  \ Begin another walk.
	$positions @ BEGIN DUP WHILE 1- DUP DUP z-walkers[] ! DUP DUP z-touch-row REPEAT DROP ;
: z-table ( -- )  \ Make the next name a table.
	z-aligned CREATE HERE z-rows ! $positions @ #z-row * z-rows @ OVER ALLOT SWAP ERASE z-again ;
: z-walks-on? ( row -- ? )
	z-walkers[] @ ?? <> ;
: z-step-row ( dir row -- )
	DUP z-walks-on? IF
		SWAP OVER z-walkers[] @ SWAP z-link ( row pos )
		2DUP SWAP z-walkers[] ! DUP ?? = IF 2DROP ELSE SWAP z-touch-row ENDIF
	ELSE 2DROP ENDIF ;
: z-step ( dir -- )  \ Step from each position.
	$positions @ BEGIN DUP WHILE 1- 2DUP z-step-row REPEAT 2DROP ;
: z-slide-row ( dir row -- )  \ Slide; a circle has no more steps than positions.
	$positions @ BEGIN OVER z-walks-on? OVER AND WHILE >R 2DUP z-step-row R> 1- REPEAT 2DROP DROP ;
: z-slide ( dir -- )  \ Slide from each position as far as the board goes.
	$positions @ BEGIN DUP WHILE 1- 2DUP z-slide-row REPEAT 2DROP ;

: z-touch-all ( p1 ... pn n row -- )  \ Enter positions in a row.
	SWAP BEGIN DUP WHILE 1- >R SWAP OVER z-touch-row R> REPEAT 2DROP ;

VARIABLE z-bit-asked ( -- addr )  \ Bit of the position that may be attacked.
VARIABLE z-cell-asked ( -- addr )  \ Offset of its cell in a row.
VARIABLE z-place-asked ( -- addr )  \ Offset of that cell in the table of a block, for one piece.
: z-touches? ( table -- ? )  \ Can the block touch the position?
	DUP IF z-place-asked @ + @ z-bit-asked @ AND ELSE DROP TRUE ENDIF ;
: z-prepare-target ( pos -- )
	DUP z-bit z-bit-asked ! z-bit-cell z-cell-asked ! ;
: z-list-of ( pos -- list )  \ List of the piece on a position; 0 if it cannot touch the target.
	DUP #z-row * z-cell-asked @ + z-place-asked !
	board[] @ #PiecePlayer AND z-lists[] @
	DUP IF DUP @ z-touches? NOT IF DROP 0 ENDIF ENDIF ;

: z-try-block ( addr -- )  \ Run a block, if its type of moves counts.
	DUP 3 CELLS + @ z-asked-type @ DUP IF = ELSE 2DROP TRUE ENDIF
	IF $from @ $pos ! 2 CELLS + @ $CatchExit ENDIF DROP ;
: z-try-blocks ( list -- )  \ Run the blocks that can touch the target, until one hits.
	z-blocks-of BEGIN DUP z-hit @ NOT AND WHILE
		OVER @ z-touches? IF OVER z-try-block ENDIF
		1- SWAP z-next-block SWAP
	REPEAT 2DROP ;
: z-set-piece ( pos -- )  \ The piece on a position is the one that moves now.
	DUP $from ! board[] @ DUP $piece !
	#Player AND DUP $forPlayer ! player-index CELLS DUP $playerOffset ! z-side-offset ! ;
: z-try-piece ( pos -- )  \ Run the blocks of the piece on a position.
	DUP z-list-of DUP IF SWAP z-set-piece z-try-blocks ELSE 2DROP ENDIF ;
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

VARIABLE z-kept-place ( -- addr )  \ Position and piece of the question of a running block.
VARIABLE z-kept-piece ( -- addr )
: z-probe-piece ( -- ? )  \ Probe them.
	z-kept-place @ z-kept-piece @ z-probe ;
: z-kept ( 'x -- ? )  \ Run a word ( -- ? ) that probes, and keep the state of the running block.
	z-keep-arrays z-keep-flags
	z-from @ >R z-to @ >R z-mark @ >R z-movements @ >R z-effects @ >R z-used @ >R
	z-dropping @ >R z-block @ >R z-partial @ >R z-copying @ >R z-promotion @ >R
	z-next-type @ >R
	$positions @ CELLS z-bank !
	EXECUTE
	z-bank OFF
	R> z-next-type ! R> z-promotion ! R> z-copying ! R> z-partial ! R> z-block ! R> z-dropping !
	R> z-used ! R> z-effects ! R> z-movements ! R> z-mark ! R> z-to ! R> z-from !
	z-restore-flags z-restore-arrays ;
: z-probe-inside ( pos piece -- ? )  \ The same as z-probe, in a running block.
	z-kept-piece ! z-kept-place ! ['] z-probe-piece z-kept ;

\ --- royal pieces -------------------------------------------------------------------------------

CREATE z-royals ( -- addr )  \ For each owner and type a byte: is it royal?
	#z-pieces ALLOT z-royals #z-pieces ERASE z-aligned
: z-royal ( player type -- )  \ Make a type royal for a player.
	OR z-royals + TRUE SWAP C! ;
: z-royal? ( piece -- ? )  \ Is the piece royal?
	#PiecePlayer AND z-royals + C@ ;
: z-own-royal? ( piece -- ? )  \ Is it a royal piece of the asker?
	DUP #Player AND z-asker @ = IF z-royal? ELSE DROP FALSE ENDIF ;
: z-checked-at? ( pos -- ? )  \ Is a royal piece of the asker on the position, and attacked?
	DUP board[] @ DUP z-own-royal? IF z-probe ELSE 2DROP FALSE ENDIF ;
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
$positions @ [] z-royal-places[] ( i -- addr )  \ Positions of the side's royal pieces.
VARIABLE z-royal-count ( -- addr )  \ Their number.
$positions @ [] z-attackers[] ( i -- addr )  \ Positions of the attackers.
VARIABLE z-attacker-count ( -- addr )  \ Their number.
$positions @ [] z-threats[] ( i -- addr )  \ Positions of those that can touch the only royal piece.
VARIABLE z-threat-count ( -- addr )  \ Their number.
: z-add-danger ( table pos -- )  \ Add the row of a position.
	#z-row * + #z-row BEGIN CELLSIZE - DUP -1 > WHILE
		2DUP + @ OVER z-danger + DUP @ ROT OR SWAP !
	REPEAT 2DROP ;
: z-note-block ( pos addr -- )  \ Enter the positions of a block that can touch the target.
	DUP @ z-touches? IF
		DUP @ 0= OVER CELLSIZE + @ OR IF 2DROP z-testing ON ELSE @ SWAP z-add-danger ENDIF
	ELSE 2DROP ENDIF ;
: z-note-threat ( pos -- )
	z-threat-count @ z-threats[] ! z-threat-count ++ ;
: z-note-piece ( pos -- )
	DUP z-list-of DUP IF
		OVER z-note-threat z-blocks-of BEGIN DUP WHILE
			>R 2DUP z-note-block z-next-block R> 1-
		REPEAT DROP
	ENDIF 2DROP ;
: z-note-royal ( pos -- )  \ Enter the dangers of a royal piece.
	DUP z-prepare-target z-bit-asked @ z-cell-asked @ z-danger + DUP @ ROT OR SWAP !
	z-threat-count OFF z-attacker-count @ BEGIN DUP WHILE
		1- 2DUP z-attackers[] @ <> IF DUP z-attackers[] @ z-note-piece ENDIF
	REPEAT 2DROP ;
: z-note-pieces ( -- )  \ Enter the positions of royal pieces of the asker, and of attackers.
	z-royal-count OFF z-attacker-count OFF $positions @ BEGIN 1- DUP -1 > WHILE
		DUP board[] @ DUP IF
			DUP z-own-royal? IF DROP DUP z-royal-count @ z-royal-places[] ! z-royal-count ++ ELSE
			z-attacker? IF DUP z-attacker-count @ z-attackers[] ! z-attacker-count ++ ENDIF ENDIF
		ELSE DROP ENDIF
	REPEAT DROP ;

\ A move is tested before it is added: z-work-out gives the board after it, which stands on the real
\ board during the test.
: z-swap-touched ( -- )  \ Exchange the cells of the touched positions with those after the move.
	z-touches @ BEGIN DUP WHILE
		1- DUP CELLS z-touched + @ DUP board[] SWAP CELLS z-cells + ( i cell cell' )
		OVER @ OVER @ ROT ROT SWAP ! SWAP !
	REPEAT DROP ;
: z-some-touched? ( 'x -- ? )  \ Does a word ( pos -- ? ) hold for a touched position?
	z-touches @ BEGIN
		DUP IF 1- 2DUP CELLS z-touched + @ SWAP EXECUTE NOT ELSE DROP -1 FALSE ENDIF
	WHILE REPEAT SWAP DROP -1 > ;
: z-dangerous? ( pos -- ? )
	DUP z-bit-cell z-danger + @ SWAP z-bit AND 0<> ;
: z-changes-much? ( piece -- ? )  \ Is it a piece that can change the verdict wherever it is put?
	DUP z-attacker? IF DROP TRUE ELSE z-own-royal? ENDIF ;
: z-matters? ( pos -- ? )  \ May the change of a touched position change the verdict?
	DUP CELLS z-cells + @ OVER board[] @ 2DUP = IF 2DROP DROP FALSE ELSE
		DROP z-changes-much? IF DROP TRUE ELSE z-dangerous? ENDIF
	ENDIF ;
: z-try-there ( pos -- hit? )  \ Run the blocks of the piece on a position, if it is an attacker.
	DUP board[] @ z-attacker? IF z-try-piece ELSE DROP ENDIF z-hit @ ;
: z-try-these ( addr n -- )  \ Run the blocks of the attackers on n positions, and on the touched ones.
	z-target @ z-prepare-target
	BEGIN DUP z-hit @ NOT AND WHILE 1- OVER @ z-try-there DROP SWAP CELLSIZE + SWAP REPEAT 2DROP
	z-hit @ NOT IF ['] z-try-there z-some-touched? DROP ENDIF ;
: z-try-threats ( -- )  \ The only royal piece is where it was.
	0 z-threats[] z-threat-count @ z-try-these ;
: z-try-attackers ( -- )
	0 z-attackers[] z-attacker-count @ z-try-these ;
: z-exposed? ( -- ? )  \ Is a royal piece of the asker attacked, after a move that has been worked out?
	z-royal-count @ 1 <> IF z-asker @ z-in-check? ELSE
		['] z-try-threats z-search ! 0 z-royal-places[] @ z-checked-at?
		DUP NOT IF DROP ['] z-try-attackers z-search ! ['] z-checked-at? z-some-touched? ENDIF
		['] z-try-pieces z-search !
	ENDIF ;

VARIABLE z-known ( -- addr )  \ Are the dangers known for the list that is being generated?
VARIABLE z-guarding ( -- addr )  \ Must royal pieces be safe after this turn?
z-guarding ON
VARIABLE z-guarding-parts ( -- addr )  \ Also after a partial move?
z-guarding-parts ON
: z-forget-dangers ( -- )  \ Before each generation of moves.
	FALSE z-known ! ;
: z-find-dangers ( -- ? )  \ Is the side in check now?
	z-danger #z-row ERASE z-promoting @ z-testing !
	z-note-pieces z-royal-count @ BEGIN DUP WHILE 1- DUP z-royal-places[] @ z-note-royal REPEAT DROP
	z-royal-count @ IF z-touches @ z-touches OFF z-exposed? SWAP z-touches ! ELSE FALSE ENDIF ;
: z-prepare ( -- )  \ Ask for the dangers of the side's royal pieces, once for each list.
	$forPlayer @ z-ask-for z-known @ NOT IF
		['] z-find-dangers z-kept IF z-testing ON ENDIF TRUE z-known !
	ENDIF ;
: z-exposes? ( from to -- ? )  \ Test the move that has been worked out; from, to: of its note.
	z-last-from @ >R z-last-to @ >R
	z-noting @ IF z-last-to ! z-last-from ! ELSE 2DROP ENDIF
	z-swap-touched ['] z-exposed? z-kept z-swap-touched
	R> z-last-to ! R> z-last-from ! ;
: z-return-leaver ( i -- )
	z-leaver-store z-return ;
: z-take-leaver ( i -- )
	z-leaver-store z-take ;
: z-exposes-with-stores? ( from to -- ? )  \ The same; promotions take the new type from a store.
	z-recycling @ IF ['] z-return-leaver z-leaving @ z-each ENDIF
	z-exposes?
	z-recycling @ IF ['] z-take-leaver z-leaving @ z-each ENDIF ;
: z-guard ( -- ? )  \ See z-safe?.
	z-guarding @ z-partial @ IF z-guarding-parts @ AND ENDIF IF
		z-prepare z-testing @ IF TRUE ELSE ['] z-matters? z-some-touched? ENDIF
		IF z-note-of z-exposes-with-stores? NOT ELSE TRUE ENDIF
	ELSE TRUE ENDIF ;
' z-guard IS z-safe?
: z-step-matters? ( piece -- ? )  \ May a move to the cursor change the verdict?
	z-prepare z-testing @ IF DROP TRUE ELSE
		z-own-royal? IF TRUE ELSE here z-dangerous? DUP NOT IF DROP from z-dangerous? ENDIF ENDIF
	ENDIF ;
: z-safe-step? ( piece -- ? )  \ May it come from the block's position to the cursor?
	z-probing @ z-guarding @ NOT OR IF DROP TRUE ELSE
		DUP z-step-matters? IF
			z-no-touches 0 from z-put here z-put from 1+ here 1+ z-exposes? NOT
		ELSE DROP TRUE ENDIF
	ENDIF ;
: z-safe-drop? ( piece -- ? )  \ May it be put on the cursor?
	z-guarding @ NOT IF DROP TRUE ELSE
		DUP z-step-matters? IF z-no-touches here z-put 0 here 1+ z-exposes? NOT ELSE DROP TRUE ENDIF
	ENDIF ;
\ The following words do the same as those without `safely`, if no royal piece of the side is attacked
\ after the move.
: z-add-safely ( -- )
	from board[] @ z-safe-step? IF z-add ENDIF ;
: z-add-as-safely ( type -- )
	from board[] @ #PieceType INVERT AND OVER OR z-safe-step? IF z-add-as ELSE DROP ENDIF ;
: z-drop-safely ( -- )
	z-dropped z-safe-drop? IF z-drop ENDIF ;
\ --- questions of move code -----------------------------------------------------------------------

: z-attacked? ( pos mtype -- ? )  \ Could a piece of another side take a piece of the side there?
	z-probing @ IF 2DROP FALSE ELSE
		z-prepare z-asked-type ! z-no-touches ['] z-try-attackers z-search !
		z-asker @ z-owned-by z-probe-inside ['] z-try-pieces z-search !
	ENDIF ;
: z-other-owner ( pos -- player )  \ The owner of the piece there, if not the asker; else the next player.
	board[] @ #Player AND DUP 0= OVER z-asker @ = OR IF DROP z-asker @ z-next-player ENDIF ;
: z-defended? ( pos mtype -- ? )  \ Could a piece of the side take a piece of another side there?
	z-probing @ IF 2DROP FALSE ELSE
		z-asked-type ! $forPlayer @ z-asker ! z-own-pieces ON
		DUP z-other-owner z-owned-by z-probe-inside
	ENDIF ;

: z-next-offset ( -- off )  \ The next turn of a player who has not dropped out; else the current one.
	z-turns turn-offset BEGIN
		next-turn-offset OVER IF DUP turn-offset-to-player z-out? ELSE FALSE ENDIF
	WHILE SWAP 1- SWAP REPEAT SWAP DROP ;
: z-moves-again? ( -- ? )  \ Does the player move the same pieces in the next turn?
	z-next-offset DUP turn-offset-to-player current-player =
	IF z-turn-side for-player = ELSE DROP FALSE ENDIF ;
: z-guard-at-last ( -- )  \ Guard only the last of several turns in a row.
	z-moves-again? NOT z-guarding ! ;

scratch}
