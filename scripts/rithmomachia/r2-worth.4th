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

\ An attack that takes nothing is worth less than none: so engines do not attack for nothing.
: OnEvaluate ( -- score )
	current-player side taken current-player foe side taken -
	advances +
	blows @ -
;
