\ The strong engine's analysis of a position: its pieces, how soon each team can kill each wizard, its evaluation.

\ A menace is a throw with which a troll can kill a wizard within the next three steps of its team.  `analyse-board`
\ analyses the current board.  It does not anticipate levitation, pulls or pushes: the search in
\ strong-engine.4th finds those.

\ --- Tables -------------------------------------------------------------------------------------------

\ The distance of each pair of squares, one byte each.  Reading a table is faster than `steps-between`, which divides.
CREATE distances #grid #grid * ALLOT
: distance ( pos pos' -- n ) #grid * + distances + C@ ;
: fill-distances ( -- )
	#grid 0 DO #grid 0 DO I J steps-between I J #grid * + distances + C! LOOP LOOP
;
fill-distances

CREATE rows #grid ALLOT
: fill-rows ( -- ) #grid 0 DO I row-of rows I + C! LOOP ;
fill-rows
: same-row? ( pos pos' -- ? ) rows + C@ SWAP rows + C@ = ;
: same-column? ( pos pos' -- ? ) - 9 MOD 0= ;
: inside? ( pos -- ? ) e5 distance 5 < ;

\ The key of a board is the sum of all pieces, each multiplied by the factor of its position.  The factors are random
\ numbers of a linear congruential generator in this file: the game's generator must not be used, because its later
\ random numbers would change.
thrown 1+ CONSTANT #positions
#positions [] key-factor[]
: next-factor ( n -- n' ) 1103515245 * 12345 + ;
: fill-key-factors ( -- ) 2008 #positions 0 DO next-factor DUP 2/ 2/ 2/ 1 OR I key-factor[] ! LOOP DROP ;
fill-key-factors

\ --- One pass over the board --------------------------------------------------------------------------

VARIABLE board-key
VARIABLE wizard-count   #arena [] wizards[]
VARIABLE dwarf-count    #arena [] dwarfs[]
VARIABLE troll-count    #arena [] trolls[]

: list-wizard ( pos -- ) wizard-count @ wizards[] ! wizard-count ++ ;
: list-dwarf ( pos -- ) dwarf-count @ dwarfs[] ! dwarf-count ++ ;
: list-troll ( pos -- ) troll-count @ trolls[] ! troll-count ++ ;
: list-piece ( pos type -- )
	DUP stone-type? IF stone-pos-of ! ELSE
	DUP WIZARD = IF DROP list-wizard ELSE
	DWARF = IF list-dwarf ELSE list-troll ENDIF ENDIF ENDIF
;
: key-term ( pos -- n ) DUP piece-at SWAP key-factor[] @ * ;
: find-pieces ( -- )
	wizard-count OFF dwarf-count OFF troll-count OFF
	4 0 DO -1 I stone-pos[] ! LOOP
	0
	#arena 0 DO
		I arena[] @ DUP empty-at? IF DROP ELSE
			DUP key-term SWAP DUP piece-type-at list-piece +
		ENDIF
	LOOP
	#positions sstone-by DO I key-term + LOOP       \ `sstone-by` is the first position beside the board
	board-key !
;

\ --- Who can kill whom ---------------------------------------------------------------------------------

\ A troll kills a wizard if it can walk to a stone and throw it along a free line.  For each wizard and each stone
\ in line with it, `find-menaces` finds the steps that the nearest troll of each other team needs, throw included.
VARIABLE walker                         \ the troll's square, which does not block the throw: the troll leaves it
VARIABLE line-step
: blocks-throw? ( pos -- ? )
	DUP walker @ = IF DROP FALSE ELSE piece-type-at DUP 0<> SWAP DWARF <> AND ENDIF
;
: free-line? ( stone wizard -- ? )
	2DUP same-row? IF 1 ELSE 9 ENDIF        ( stone wizard step )
	>R 2DUP > R> SWAP IF NEGATE ENDIF line-step !
	SWAP
	BEGIN line-step @ + 2DUP = IF TRUE ELSE DUP blocks-throw? ENDIF UNTIL
	=
;

\ A team has at most three steps, too few for a detour: each step must reduce the distance.
DEFER path?                             ( at goal -- ? )
: free-step? ( at goal step -- ? )
	ROT + DUP inside? IF DUP empty-at? ELSE FALSE ENDIF
	IF SWAP path? ELSE 2DROP FALSE ENDIF
;
: row-step ( at goal -- step ) < IF 9 ELSE -9 ENDIF ;
: column-step ( at goal -- step ) 9 MOD SWAP 9 MOD > IF 1 ELSE -1 ENDIF ;
: path-by-row? ( at goal -- ? ) 2DUP same-row? IF 2DROP FALSE ELSE 2DUP row-step free-step? ENDIF ;
: path-by-column? ( at goal -- ? ) 2DUP same-column? IF 2DROP FALSE ELSE 2DUP column-step free-step? ENDIF ;
: find-path? ( at goal -- ? )
	2DUP distance 2 < IF 2DROP TRUE ELSE
	2DUP path-by-row? IF 2DROP TRUE ELSE path-by-column? ENDIF ENDIF
;
' find-path? IS path?

9 CONSTANT #never
16 [] kill-steps[]                      \ steps that the first team needs to kill the second
: steps-to-kill-addr ( team team' -- addr ) player-index 3 AND SWAP player-index 3 AND 4 * + kill-steps[] ;
VARIABLE the-stone
VARIABLE the-wizard
: can-throw? ( troll -- ? )
	DUP walker ! the-stone @ the-wizard @ free-line?
	IF the-stone @ path? ELSE DROP FALSE ENDIF
;
: try-troll ( troll -- )
	DUP owner-at the-wizard @ owner-at 2DUP = IF 2DROP DROP ELSE
		steps-to-kill-addr OVER the-stone @ distance        ( troll addr n )
		2DUP SWAP @ < OVER 4 < AND
		IF ROT can-throw? IF SWAP ! ELSE 2DROP ENDIF ELSE 2DROP DROP ENDIF
	ENDIF
;
: try-trolls ( stone wizard -- )
	the-wizard ! the-stone !
	troll-count @ IF troll-count @ 0 DO I trolls[] @ try-troll LOOP ENDIF
;
: same-line? ( stone wizard -- ? ) 2DUP same-row? IF 2DROP TRUE ELSE same-column? ENDIF ;
: try-stones ( wizard -- )
	4 0 DO
		I stone-pos[] @ DUP 0< IF DROP ELSE
			2DUP SWAP same-line? IF OVER try-trolls ELSE DROP ENDIF
		ENDIF
	LOOP
	DROP
;
: find-menaces ( -- )
	16 0 DO #never I kill-steps[] ! LOOP
	wizard-count @ IF wizard-count @ 0 DO I wizards[] @ try-stones LOOP ENDIF
;
: analyse-board ( -- ) find-pieces find-menaces ;

\ --- What it is worth to the current player -------------------------------------------------------------

\ The weights were found by experiments: see README.md.  The menaces of the player to move have a higher weight, because
\ the other teams cannot answer them.
VARIABLE to-move                        \ whose turn it is
VARIABLE steps-left                     \ the steps that this player has left
: steps-from ( off -- n )               \ consecutive steps (turn-order entries) of this player, from `off` on
	1 SWAP
	BEGIN next-turn-offset DUP turn-offset-to-player to-move @ = WHILE SWAP 1+ SWAP REPEAT
	DROP
;
: thrown-in-turn? ( -- ? ) thrown owner-at to-move @ = ;        \ a lock on `thrown`: a throw ended its owner's turn
: read-turn ( off -- )                  \ the cleaner only clears the memory: it has no steps
	DUP turn-offset-to-player to-move !
	thrown-in-turn? to-move @ cleaner = OR IF DROP 0 ELSE steps-from ENDIF steps-left !
;

: menace-weight ( n team -- n' )        \ team needs n steps
	to-move @ = IF steps-left @ > IF 60 ELSE 2000 ENDIF ELSE 4 SWAP - 90 * ENDIF
;
: menace-worth ( team team' -- n )
	2DUP steps-to-kill-addr @ DUP #never = IF DROP 2DROP 0 ELSE
		2 PICK menace-weight                    ( team team' n )
		SWAP current-player = IF NEGATE SWAP DROP ELSE
			SWAP current-player = NOT IF 4 / ENDIF
		ENDIF
	ENDIF
;
: menaces-worth ( wizard -- n )         \ the sum for the menaces of all teams to the owner of this wizard
	owner-at 0
	5 1 DO I #PlayerBase * 2 PICK menace-worth + LOOP
	SWAP DROP
;
: wizards-worth ( -- n )
	0 wizard-count @ IF
		wizard-count @ 0 DO I wizards[] @ DUP 6000 -3000 by-owner SWAP menaces-worth + + LOOP
	ENDIF
;
: dwarfs-worth ( -- n )
	0 dwarf-count @ IF dwarf-count @ 0 DO I dwarfs[] @ 250 -150 by-owner + LOOP ENDIF
;
: distances-to-stones ( pos -- n )
	0
	4 0 DO I stone-pos[] @ DUP 0< IF DROP ELSE 2 PICK distance + ENDIF LOOP
	SWAP DROP
;
: trolls-worth ( -- n )
	0 troll-count @ IF
		troll-count @ 0 DO I trolls[] @ DUP distances-to-stones SWAP -10 8 by-owner * + LOOP
	ENDIF
;
: board-worth ( -- score ) wizards-worth dwarfs-worth + trolls-worth + ;

\ --- For the built-in search ----------------------------------------------------------------------------

\ If two wizards are left and the player to move can kill the other one within its remaining steps, the game counts
\ as won.  Positions within a partial throw are excluded: the thrown stone is not on the board.
50000 CONSTANT #as-good-as-won
: steps-to-kill ( team -- n ) to-move @ SWAP steps-to-kill-addr @ ;
: in-time? ( n -- ? ) steps-left @ > NOT ;
: team-not-to-move ( team team' -- team'' ) DUP to-move @ = IF DROP ELSE SWAP DROP ENDIF ;
: can-win? ( -- ? )
	wizard-count @ 2 = $partial @ NOT AND
	IF 0 wizards[] @ owner-at 1 wizards[] @ owner-at team-not-to-move steps-to-kill in-time? ELSE FALSE ENDIF
;
: OnEvaluate ( -- score )
	analyse-board turn-offset read-turn
	can-win? IF #as-good-as-won to-move @ current-player <> IF NEGATE ENDIF ELSE board-worth ENDIF
;

\ The host ignores the variables cleared here when it compares positions: they are computed for each move list.
: OnForget ( -- ) 0 stone-pos[] 4 CELLS ERASE $piece OFF ;
