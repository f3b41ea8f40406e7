\ The state of a turn: lowered ratings, attacks, the move, and a pending decision about a swap.

\ The rating of a piece is its number.  An attack lowers the rating of an enemy piece, and a piece whose rating becomes
\ 0 is captured.  All other lowered ratings are restored at the end of the turn: their attacks were wasted.
\
\ This file owns the effects of moves on the state of a turn, and the end of a turn.  The state is stored on the board,
\ so that taking back a move restores it: see the board variables in rithmomachia-2.4th.

\ === Attackers ========================================================================================
\ At the start of a turn the attacker's pieces are numbered in the order of their squares, and a piece keeps its number
\ when it moves.  Each piece has a bit.  `hit-by` contains for every victim the bits of the pieces that attacked it in
\ this turn; `blows` counts the attacks of this turn that did not capture.
#grid [] bit-of-attacker[]
: number-attacker ( n pos -- n' ) OVER bit-of SWAP bit-of-attacker[] ! 1+ ;
: number-on-square ( n pos -- n' )      \ numbers the piece that began the turn on pos, if there is one
	DUP 1+ went-from @ = IF DROP went-to @ 1- number-attacker ELSE
	DUP 1+ went-to @ = IF DROP ELSE
	DUP player-at attacker @ = IF number-attacker ELSE DROP ENDIF ENDIF ENDIF
;
: number-attackers ( -- ) 0 #squares 0 DO I squares[] @ number-on-square LOOP DROP ;

: count-attack ( bit pos -- ) hit-by set-bits blows ++ ;

\ === The decision about a swap =========================================================================
\ A twin is a piece of the same type as a part of its owner's pyramid.  When a part with a twin is taken, the owner may
\ swap: the twin replaces the part.  `asked` is the position of the part in the margin plus one, `asked-type` its type.
\ A piece of the type `may-swap` in the margin shows the decision to players, and to engines that identify positions by
\ their pieces.
: offer-swap ( type pos -- )
	1+ asked ! asked-type !
	current-player foe may-swap OR swap-mark (add-piece)
;
: end-decision ( -- ) asked OFF asked-type OFF swap-mark (remove-piece) ;

\ The twin moves to the part's position and keeps the attacks that it has suffered in this turn.
: swap-in ( pos -- )                    \ pos: the twin's square
	hit-by DUP @ asked @ 1- hit-by ! OFF
	end-decision
;
: pyramid-of? ( pos player -- ? )
	OVER player-at = IF original-type class-of[] @ #pyramid = ELSE DROP FALSE ENDIF
;
: remove-shell ( player -- )            \ of a pyramid without parts
	#squares 0 DO
		I squares[] @ OVER pyramid-of? IF I squares[] @ (remove-piece) ENDIF
	LOOP
	DROP
;
: decline ( -- )
	end-decision
	current-player side-of parts-left 0= IF current-player remove-shell ENDIF
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
	victory @ IF show-victory ENDIF
;
: capture-made ( -- )
	common-victories
	annihilated? #annihilation claim
	test-victory
;
: move-made ( from to -- )
	1+ went-to ! 1+ went-from !
	current-player has-moved OR moved-mark (add-piece)      ( a piece of the type `has-moved` )
	test-victory
;

: one-if-lowered ( pos -- n ) lowered? 1 AND ;
: lowered-pieces ( -- n )
	0 #squares 0 DO I squares[] @ one-if-lowered + LOOP
	#parts 0 DO I 0 part-home one-if-lowered + I 1 part-home one-if-lowered + LOOP
;
: restore-all ( -- )
	#squares 0 DO I squares[] @ restore LOOP
	#parts 0 DO I 0 part-home restore I 1 part-home restore LOOP
	0 hit-by #grid CELLS ERASE
	blows OFF
;
: for-white ( n -- n' ) current-player White <> IF NEGATE ENDIF ;  \ negated for Black
: add-wasted ( -- ) lowered-pieces for-white wasted +! ;  \ counts the pieces lowered but not taken
\ A capture has set `quiet` to -1: see `add-to-counts` in victories.4th.
: end-turn ( -- )
	quiet ++
	blows @ IF add-wasted restore-all ENDIF
	went-to @ IF moved-mark (remove-piece) ENDIF
	went-from OFF went-to OFF
	test-victory
;
