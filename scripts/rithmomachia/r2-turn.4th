\ The state of a turn: what was lowered, who attacked whom, who has moved, who is asked.

\ Owns what moves do besides moving and taking, and what happens when a turn ends.  All state is in the board, so
\ that it is taken back with a move: see the board variables in rithmomachia-2.4th.

\ === Attackers ========================================================================================
\ The attackers of a turn are numbered by the squares on which they began it; each has a bit.  `hit-by` has for
\ every victim the bits of those that have attacked it.
#grid [] bit-of-attacker[]
: number-attacker ( n pos -- n' ) OVER bit-of SWAP bit-of-attacker[] ! 1+ ;
: number-one ( n pos -- n' )            \ the one that began the turn there, if there is one
	DUP 1+ went-from @ = IF DROP went-to @ 1- number-attacker ELSE
	DUP 1+ went-to @ = IF DROP ELSE
	DUP player-at attacker @ = IF number-attacker ELSE DROP ENDIF ENDIF ENDIF
;
: number-attackers ( -- ) 0 #squares 0 DO I squares[] @ number-one LOOP DROP ;

: note-blow ( bit pos -- ) hit-by set-bits blows ++ ;

\ === The question of r2-swap ==========================================================================
\ When a part is taken that has a twin on the board, its owner is asked.  `asked` has the part's place,
\ `asked-type` its type; a piece in the margin says so to people, and to engines that know positions by their pieces.
: ask ( type pos -- )
	1+ asked ! asked-type !
	current-player foe may-swap OR question-mark (add-piece)
;
: answered ( -- ) asked OFF asked-type OFF question-mark (remove-piece) ;

\ The twin takes the part's place, and with it goes what was done to it in this turn.
: take-place ( pos -- )
	hit-by DUP @ asked @ 1- hit-by ! OFF
	answered
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
	answered
	current-player side parts-left 0= IF current-player remove-shell ENDIF
;

\ === What actions do ==================================================================================
: pieces-of? ( player -- ? )            \ has he any on the board?
	FALSE #squares 0 DO OVER I squares[] @ player-at = OR LOOP SWAP DROP
;
: annihilated? ( -- ? )
	no-annihilation @ IF FALSE ELSE current-player foe pieces-of? NOT ENDIF
;
: judge-action ( -- )
	harmony? #harmony claim
	victory @ IF crown ENDIF
;
: after-capture ( -- )
	common-victories
	annihilated? #annihilation claim
	judge-action
;
: after-move ( from to -- )
	1+ went-to ! 1+ went-from !
	current-player has-moved OR moved-mark (add-piece)
	judge-action
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
: whites ( n -- n' ) current-player White <> IF NEGATE ENDIF ;     \ the other way round for Black
: waste-blows ( -- ) lowered whites wasted +! ;
\ A capture has set `quiet` to -1: see `tally` in victories.4th.
: end-turn ( -- )
	quiet ++
	blows @ IF waste-blows restore-all ENDIF
	went-to @ IF moved-mark (remove-piece) ENDIF
	went-from OFF went-to OFF
	judge-action
;
