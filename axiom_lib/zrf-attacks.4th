\ zrf-attacks.4th: attacks, for rule files of Zillions that ask for them; zrf.4th comes before it.

\ This file owns the question whether a piece could come to a position or capture there, and the
\ removal of moves that leave a royal piece attacked.  To answer, the blocks of the attackers' moves
\ run while z-probing is on: `add` then records a hit in place of a move.

VARIABLE z-asker ( -- addr )  \ The side that asks.
VARIABLE z-asked-type ( -- addr )  \ Type of the moves that count; 0: all.
VARIABLE z-own-pieces ( -- addr )  \ On: the asker's own pieces count, not the others'.

: z-attacker? ( piece -- ? )  \ Is it a piece that can attack?
	#Player AND DUP IF
		z-own-pieces @ IF z-asker @ = ELSE DUP #Neutral AND 0= SWAP z-asker @ <> AND ENDIF
	ENDIF ;
: z-try-pair ( addr -- )  \ Run a block, if its type of moves counts.
	DUP CELLSIZE + @ z-asked-type @ DUP IF = ELSE 2DROP TRUE ENDIF
	IF $from @ $pos ! @ $CatchExit ENDIF DROP ;
: z-try-pairs ( addr n -- )  \ Run the blocks of a list until one hits.
	BEGIN DUP z-hit @ NOT AND WHILE >R DUP z-try-pair 2 CELLS + R> 1- REPEAT 2DROP ;
: z-try-piece ( pos -- )  \ Run the blocks of the piece on a position.
	DUP $from ! board[] @ DUP $piece !
	DUP #Player AND $forPlayer ! DUP player-index CELLS DUP $playerOffset ! z-side-offset !
	#PieceType AND z-record #movesCell CELLS + @
	DUP IF EXECUTE DUP CELLSIZE + SWAP @ z-try-pairs ELSE DROP ENDIF ;
: z-try-pieces ( -- )  \ Run the blocks of all attackers.
	$positions @ BEGIN 1- DUP -1 > z-hit @ NOT AND WHILE
		DUP z-target @ <> IF
			DUP board[] @ z-attacker? IF DUP z-try-piece ENDIF
		ENDIF
	REPEAT DROP ;
: z-probe ( pos piece -- ? )  \ Is the position attacked if that piece stands on it?
	z-side-offset @ >R SWAP DUP z-target ! board[] @ >R
	z-target @ board[] !
	z-hit OFF z-probing ON
	['] z-try-pieces $CatchExit DROP
	z-probing OFF
	R> z-target @ board[] ! R> z-side-offset ! z-hit @ ;

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
	z-from @ >R z-to @ >R z-mark @ >R z-movements @ >R z-effects @ >R
	z-dropping @ >R z-block @ >R z-partial @ >R z-copying @ >R z-promotion @ >R
	$positions @ CELLS z-bank !
	z-probe
	z-bank OFF
	R> z-promotion ! R> z-copying ! R> z-partial ! R> z-block ! R> z-dropping !
	R> z-effects ! R> z-movements ! R> z-mark ! R> z-to ! R> z-from !
	z-restore-flags z-restore-arrays ;
: z-ask ( pos mtype -- pos ? )  \ Set the asker; FALSE inside an attacker's block.
	z-probing @ IF DROP FALSE ELSE z-asked-type ! $forPlayer @ z-asker ! TRUE ENDIF ;
: z-attacked? ( pos mtype -- ? )  \ Could a piece of another side take a piece of the side there?
	z-ask IF z-own-pieces OFF z-asker @ z-owned-by z-probe-inside ELSE DROP FALSE ENDIF ;
: z-defended? ( pos mtype -- ? )  \ Could a piece of the side take a piece of another side there?
	z-ask IF z-own-pieces ON z-asker @ z-next-player z-owned-by z-probe-inside ELSE DROP FALSE ENDIF ;

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
: z-find-check ( player -- ? )  \ Is a royal piece of the player attacked?
	z-asker ! 0 z-asked-type ! z-own-pieces OFF
	$positions @ BEGIN 1- DUP -1 > IF DUP z-checked-at? NOT ELSE FALSE ENDIF WHILE REPEAT
	-1 > ;
' z-find-check IS z-in-check?

VARIABLE z-move ( -- addr )  \ The move that is being tested.
VARIABLE z-unsafe ( -- addr )  \ Does it leave a royal piece of the side attacked?
: z-test-move ( -- )
	$CloneBoard z-move @ .moveCFA EXECUTE $forPlayer @ z-in-check? z-unsafe ! ;
: z-keep-safe ( -- )  \ Remove moves that leave a royal piece attacked from the list.
	$FirstMove BEGIN DUP WHILE
		DUP z-pass? IF z-unsafe OFF ELSE DUP z-move ! ['] z-test-move $CatchExit DROP ENDIF
		DUP $NextMove SWAP z-unsafe @ IF $RemoveMove ELSE DROP ENDIF
	REPEAT DROP ;
