\ What the strong engine sees in a position: where the pieces are, who can kill whom how soon, what it is worth.

\ Everything here is worked out by `look-round` from the board as it stands, for whoever is to move.  It sees no
\ levitation, pull or push to come: finding those is the search's part, in strong-engine.4th.

\ --- Tables -------------------------------------------------------------------------------------------

\ Bytes, so that all pairs of squares find room.  `apart` divides; a look into a table does not.
CREATE distances #grid #grid * ALLOT
: distance ( pos pos' -- n ) #grid * + distances + C@ ;
: fill-distances ( -- )
	#grid 0 DO #grid 0 DO I J apart I J #grid * + distances + C! LOOP LOOP
;
fill-distances

CREATE rows #grid ALLOT
: fill-rows ( -- ) #grid 0 DO I row-of rows I + C! LOOP ;
fill-rows
: same-row? ( pos pos' -- ? ) rows + C@ SWAP rows + C@ = ;
: same-column? ( pos pos' -- ? ) - 9 MOD 0= ;
: inside? ( pos -- ? ) e5 distance 5 < ;

\ A number for every position, to make a key of a board: the sum of all pieces, each times its position's number.
\ They come from a generator of our own: the game's random stream is for the game.
thrown 1+ CONSTANT #positions
#positions [] spice[]
: next-spice ( n -- n' ) 1103515245 * 12345 + ;
: fill-spice ( -- ) 2008 #positions 0 DO next-spice DUP 2/ 2/ 2/ 1 OR I spice[] ! LOOP DROP ;
fill-spice

\ --- Looking round: one pass over the board -----------------------------------------------------------

VARIABLE key
VARIABLE wizard-count   #arena [] wizards[]
VARIABLE dwarf-count    #arena [] dwarfs[]
VARIABLE troll-count    #arena [] trolls[]

: enter-wizard ( pos -- ) wizard-count @ wizards[] ! wizard-count ++ ;
: enter-dwarf ( pos -- ) dwarf-count @ dwarfs[] ! dwarf-count ++ ;
: enter-troll ( pos -- ) troll-count @ trolls[] ! troll-count ++ ;
: enter ( pos type -- )
	DUP stone-type? IF place ! ELSE
	DUP WIZARD = IF DROP enter-wizard ELSE
	DWARF = IF enter-dwarf ELSE enter-troll ENDIF ENDIF ENDIF
;
: flavour ( pos -- n ) DUP piece-at SWAP spice[] @ * ;
: find-pieces ( -- )
	wizard-count OFF dwarf-count OFF troll-count OFF
	4 0 DO -1 I stone-pos[] ! LOOP
	0
	#arena 0 DO
		I arena[] @ DUP empty-at? IF DROP ELSE
			DUP flavour SWAP DUP piece-type-at enter +
		ENDIF
	LOOP
	#positions sstone-by DO I flavour + LOOP
	key !
;

\ --- Who can kill whom ---------------------------------------------------------------------------------

\ A troll kills a wizard if it can walk to a stone and throw it along a free line.  So we ask of each wizard and
\ each stone in line with him how many steps the nearest troll of each other team needs, the throw included.
VARIABLE walker                         \ where that troll is; having walked, it no longer stops a stone there
VARIABLE line-step
: stops? ( pos -- ? )
	DUP walker @ = IF DROP FALSE ELSE piece-type-at DUP 0<> SWAP DWARF <> AND ENDIF
;
: free-line? ( stone wizard -- ? )
	2DUP same-row? IF 1 ELSE 9 ENDIF        ( stone wizard step )
	>R 2DUP > R> SWAP IF NEGATE ENDIF line-step !
	SWAP
	BEGIN line-step @ + 2DUP = IF TRUE ELSE DUP stops? ENDIF UNTIL
	=
;

\ Three steps at most, so a way with a detour is never short enough: each step must go nearer.
DEFER way?                              ( at goal -- ? )
: free-step? ( at goal step -- ? )
	ROT + DUP inside? IF DUP empty-at? ELSE FALSE ENDIF
	IF SWAP way? ELSE 2DROP FALSE ENDIF
;
: row-step ( at goal -- step ) < IF 9 ELSE -9 ENDIF ;
: column-step ( at goal -- step ) 9 MOD SWAP 9 MOD > IF 1 ELSE -1 ENDIF ;
: way-by-row? ( at goal -- ? ) 2DUP same-row? IF 2DROP FALSE ELSE 2DUP row-step free-step? ENDIF ;
: way-by-column? ( at goal -- ? ) 2DUP same-column? IF 2DROP FALSE ELSE 2DUP column-step free-step? ENDIF ;
: find-way? ( at goal -- ? )
	2DUP distance 2 < IF 2DROP TRUE ELSE
	2DUP way-by-row? IF 2DROP TRUE ELSE way-by-column? ENDIF ENDIF
;
' find-way? IS way?

9 CONSTANT #never
16 [] menaces[]                         \ steps that the first team needs to kill the second
: menace ( team team' -- addr ) player-index 3 AND SWAP player-index 3 AND 4 * + menaces[] ;
VARIABLE the-stone
VARIABLE the-wizard
: can-throw? ( troll -- ? )
	DUP walker ! the-stone @ the-wizard @ free-line?
	IF the-stone @ way? ELSE DROP FALSE ENDIF
;
: try-troll ( troll -- )
	DUP owner-at the-wizard @ owner-at 2DUP = IF 2DROP DROP ELSE
		menace OVER the-stone @ distance        ( troll addr n )
		2DUP SWAP @ < OVER 4 < AND
		IF ROT can-throw? IF SWAP ! ELSE 2DROP ENDIF ELSE 2DROP DROP ENDIF
	ENDIF
;
: try-trolls ( stone wizard -- )
	the-wizard ! the-stone !
	troll-count @ IF troll-count @ 0 DO I trolls[] @ try-troll LOOP ENDIF
;
: in-sight? ( stone wizard -- ? ) 2DUP same-row? IF 2DROP TRUE ELSE same-column? ENDIF ;
: try-stones ( wizard -- )
	4 0 DO
		I stone-pos[] @ DUP 0< IF DROP ELSE
			2DUP SWAP in-sight? IF OVER try-trolls ELSE DROP ENDIF
		ENDIF
	LOOP
	DROP
;
: find-menaces ( -- )
	16 0 DO #never I menaces[] ! LOOP
	wizard-count @ IF wizard-count @ 0 DO I wizards[] @ try-stones LOOP ENDIF
;
: look-round ( -- ) find-pieces find-menaces ;

\ --- What it is worth to the current player -------------------------------------------------------------

\ Found by trying: see README.md.  A menace of the player to move may come true at once; the others
\ will have their turn when somebody has had a chance to answer.
VARIABLE to-move                        \ whose turn it is
VARIABLE steps-left                     \ and how many steps he has
: steps-from ( off -- n )               \ slots of his in a row from that one on
	1 SWAP
	BEGIN next-turn-offset DUP turn-offset-to-player to-move @ = WHILE SWAP 1+ SWAP REPEAT
	DROP
;
: spent-turn? ( -- ? ) thrown owner-at to-move @ = ;
: see-turn ( off -- )
	DUP turn-offset-to-player to-move !
	spent-turn? to-move @ cleaner = OR IF DROP 0 ELSE steps-from ENDIF steps-left !
;

: menace-weight ( n team -- n' )        \ team needs n steps
	to-move @ = IF steps-left @ > IF 60 ELSE 2000 ENDIF ELSE 4 SWAP - 90 * ENDIF
;
: menace-worth ( team team' -- n )
	2DUP menace @ DUP #never = IF DROP 2DROP 0 ELSE
		2 PICK menace-weight                    ( team team' n )
		SWAP current-player = IF NEGATE SWAP DROP ELSE
			SWAP current-player = NOT IF 4 / ENDIF
		ENDIF
	ENDIF
;
: menaces-worth ( wizard -- n )         \ of all teams to this one
	owner-at 0
	5 1 DO I #PlayerBase * 2 PICK menace-worth + LOOP
	SWAP DROP
;
: wizards-worth ( -- n )
	0 wizard-count @ IF
		wizard-count @ 0 DO I wizards[] @ DUP 6000 -3000 side SWAP menaces-worth + + LOOP
	ENDIF
;
: dwarfs-worth ( -- n )
	0 dwarf-count @ IF dwarf-count @ 0 DO I dwarfs[] @ 250 -150 side + LOOP ENDIF
;
: distances-to-stones ( pos -- n )
	0
	4 0 DO I stone-pos[] @ DUP 0< IF DROP ELSE 2 PICK distance + ENDIF LOOP
	SWAP DROP
;
: trolls-worth ( -- n )
	0 troll-count @ IF
		troll-count @ 0 DO I trolls[] @ DUP distances-to-stones SWAP -10 8 side * + LOOP
	ENDIF
;
: insight ( -- score ) wizards-worth dwarfs-worth + trolls-worth + ;

\ --- For the built-in search ----------------------------------------------------------------------------

\ Where two wizards are left and the player to move can kill the other one within his steps, he will.  In half a
\ throw he has his stone in his hand, and it is not on the board.
50000 CONSTANT #as-good-as-won
: kill-of ( team -- n ) to-move @ SWAP menace @ ;
: near? ( n -- ? ) steps-left @ > NOT ;
: other-of ( team team' -- team'' ) DUP to-move @ = IF DROP ELSE SWAP DROP ENDIF ;
: can-win? ( -- ? )
	wizard-count @ 2 = $partial @ NOT AND
	IF 0 wizards[] @ owner-at 1 wizards[] @ owner-at other-of kill-of near? ELSE FALSE ENDIF
;
: OnEvaluate ( -- score )
	look-round turn-offset see-turn
	can-win? IF #as-good-as-won to-move @ current-player <> IF NEGATE ENDIF ELSE insight ENDIF
;

\ The host compares positions without what is cleared here: it is worked out anew for each list of moves.
: OnForget ( -- ) 0 stone-pos[] 4 CELLS ERASE $piece OFF ;
