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

\ What is lowered is as it was when the turn ends: it only keeps one from ending it.  An engine that does not see how
\ to take the piece thus leaves it alone.
1000 CONSTANT #pending
: lowered-at ( pos -- n ) lowered? NEGATE ;
: lowered ( -- n )
	0 #squares 0 DO I squares[] @ lowered-at + LOOP
	#parts 0 DO I 0 part-home lowered-at + I 1 part-home lowered-at + LOOP
;
: pending ( -- n ) blows @ IF lowered #pending * ELSE 0 ENDIF ;

: OnEvaluate ( -- score )
	current-player side taken current-player foe side taken -
	advances +
	pending asked @ IF + ELSE - ENDIF       \ who is asked has lowered nothing
;
