\ Evaluation of Rhythmomachia 2: what a position is worth to the player about to move.

\ Owns what engines are told.

: taken ( side -- n ) DUP pieces-taken @ 100 * SWAP value-taken @ + ;

\ Harmonies are made in the enemy's half, so rows nearer to it are worth something.
: advance-of ( pos -- n ) DUP row-of SWAP player-at White = IF 15 SWAP - ENDIF 5 * ;
: advances ( -- n )
	0 #squares 0 DO
		I squares[] @ DUP not-empty-at?
		IF DUP advance-of SWAP friend-at? IF + ELSE - ENDIF ELSE DROP ENDIF
	LOOP
;

\ What is lowered is as it was when the turn ends.  So an attack that takes nothing costs more than it is worth to
\ put off what the enemy does next, and the cost stays: an engine that does not see how to take the piece in this
\ turn leaves it alone.
1000 CONSTANT #waste
: lowered-now ( -- n ) blows @ IF lowered asked @ IF NEGATE ENDIF ELSE 0 ENDIF ;        \ who is asked has lowered nothing
: waste ( -- n ) wasted @ whites lowered-now + #waste * ;       \ the player's, less the enemy's

: OnEvaluate ( -- score )
	current-player side taken current-player foe side taken -
	advances +
	waste -
;
