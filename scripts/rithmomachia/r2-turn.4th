\ The state of a turn: lowered ratings, attacks, the move, and a pending decision about a swap.

\ Owns the effects of moves on this state, and the end of a turn.  All state is in the board, so that taking back a
\ move restores it: see the board variables in rithmomachia-2.4th.

\ === Attackers ========================================================================================
\ The attackers of a turn are numbered by their squares at its start; each has a bit.  `hit-by` contains for every
\ victim the bits of the pieces that have attacked it.
#grid [] bit-of-attacker[]
: number-attacker ( n pos -- n' ) OVER bit-of SWAP bit-of-attacker[] ! 1+ ;
: number-on-square ( n pos -- n' )      \ numbers the piece that began the turn on pos, if there is one
	DUP 1+ went-from @ = IF DROP went-to @ 1- number-attacker ELSE
	DUP 1+ went-to @ = IF DROP ELSE
	DUP player-at attacker @ = IF number-attacker ELSE DROP ENDIF ENDIF ENDIF
;
: number-attackers ( -- ) 0 #squares 0 DO I squares[] @ number-on-square LOOP DROP ;

: note-attack ( bit pos -- ) hit-by set-bits blows ++ ;

\ === The decision about a swap =========================================================================
\ When a part is taken that has a twin on the board, its owner may swap.  `asked` is the part's position plus one,
\ `asked-type` its type.  A piece in the margin shows the decision to players, and to engines that identify positions
\ by their pieces.
: offer-swap ( type pos -- )
	1+ asked ! asked-type !
	current-player foe may-swap OR swap-mark (add-piece)
;
: end-decision ( -- ) asked OFF asked-type OFF swap-mark (remove-piece) ;

\ The twin moves to the part's position and keeps the attacks that it has suffered in this turn.
: swap-in ( pos -- )
	hit-by DUP @ asked @ 1- hit-by ! OFF
	end-decision
;
: pyramid-of? ( pos player -- ? )
	OVER player-at = IF own-type kind-of[] @ #pyramid = ELSE DROP FALSE ENDIF
;
: remove-shell ( player -- )            \ of a pyramid without parts
	#squares 0 DO
		I squares[] @ OVER pyramid-of? IF I squares[] @ (remove-piece) ENDIF
	LOOP
	DROP
;
: decline ( -- )
	end-decision
	current-player side parts-left 0= IF current-player remove-shell ENDIF
;

\ === Effects of actions ===============================================================================
: pieces-of? ( player -- ? )            \ does the player have a piece on the board?
	FALSE #squares 0 DO OVER I squares[] @ player-at = OR LOOP SWAP DROP
;
: annihilated? ( -- ? )
	no-annihilation @ IF FALSE ELSE current-player foe pieces-of? NOT ENDIF
;
: test-victory ( -- )
	harmony? #harmony claim
	victory @ IF crown ENDIF
;
: after-capture ( -- )
	common-victories
	annihilated? #annihilation claim
	test-victory
;
: after-move ( from to -- )
	1+ went-to ! 1+ went-from !
	current-player has-moved OR moved-mark (add-piece)
	test-victory
;

: lowered-at ( pos -- n ) lowered? 1 AND ;
: lowered ( -- n )
	0 #squares 0 DO I squares[] @ lowered-at + LOOP
	#parts 0 DO I 0 part-home lowered-at + I 1 part-home lowered-at + LOOP
;
: restore-all ( -- )
	#squares 0 DO I squares[] @ restore LOOP
	#parts 0 DO I 0 part-home restore I 1 part-home restore LOOP
	0 hit-by #grid CELLS ERASE
	blows OFF
;
: for-white ( n -- n' ) current-player White <> IF NEGATE ENDIF ;  \ negated for Black
: waste-blows ( -- ) lowered for-white wasted +! ;
\ A capture has set `quiet` to -1: see `tally` in victories.4th.
: end-turn ( -- )
	quiet ++
	blows @ IF waste-blows restore-all ENDIF
	went-to @ IF moved-mark (remove-piece) ENDIF
	went-from OFF went-to OFF
	test-victory
;
