\ Evaluation: the score of a position for the player to move.

\ Scores are thousandths of the goal of a common victory.

: permille-of ( n goal -- n' ) DUP IF 1000 SWAP */ ELSE 2DROP 0 ENDIF ;
: goals-worth ( pieces value side -- n )
	value-goal[] @ permille-of SWAP piece-goal @ permille-of +
;
: taken-worth ( side -- n )
	DUP pieces-taken @ OVER value-taken @ ROT goals-worth
;

\ A piece under attack counts as taken, because any move that leaves the attackers in place takes it.  The survey
\ (see moves.4th) that was made for the move list contains all attacks.
: set-worth ( set -- n )                \ value of the taken units of the victim at victim-at
	victim-class #pyramid =
	IF
		DUP 1 AND IF DROP defender @ side-of remaining[] @ ENDIF
		0 #parts 0 DO
			OVER I 1+ bits[] @ AND
			IF 1 I defender @ side-of part @ attacker @ side-of goals-worth + ENDIF
		LOOP
		SWAP DROP
	ELSE
		DROP 1 victim-at @ piece-type-at value-of[] @ attacker @ side-of goals-worth
	ENDIF
;
: doomed-worth ( -- n )
	survey-if-needed
	0 victims @ IF
		victims @ 0 DO
			I near[] @ I far[] @ OR
			DUP IF I victim[] @ victim-at ! set-worth + ELSE DROP ENDIF
		LOOP
	ENDIF
;

\ Each row nearer to the enemy has a small value, so that engines advance.
: rows-advanced ( -- n )
	0 #squares 0 DO
		I squares[] @ DUP not-empty-at?
		IF DUP row-of SWAP player-at White = IF 15 SWAP - ENDIF ELSE DROP 0 ENDIF
		I squares[] @ friend-at? IF + ELSE - ENDIF
	LOOP
;

: OnEvaluate ( -- score )
	current-player side-of taken-worth current-player foe side-of taken-worth -
	doomed-worth +
	rows-advanced +
;
