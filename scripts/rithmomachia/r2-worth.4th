\ Evaluation of Rhythmomachia 2: the score of a position for the player to move.

: taken-score ( side -- n ) DUP pieces-taken @ 100 * SWAP value-taken @ + ;

\ Harmonies need pieces in the enemy's half, so each row nearer to it has a small value.
: advance-of ( pos -- n ) DUP row-of SWAP player-at White = IF 15 SWAP - ENDIF 5 * ;
: advances ( -- n )
	0 #squares 0 DO
		I squares[] @ DUP not-empty-at?
		IF DUP advance-of SWAP friend-at? IF + ELSE - ENDIF ELSE DROP ENDIF
	LOOP
;

\ Lowered ratings are restored at the end of the turn, so lowering a piece without capturing it in the same turn gains
\ nothing.  Each such piece costs points until the end of the game.  Otherwise an engine would attack only to delay the
\ enemy's next action.
1000 CONSTANT #waste
: lowered-now ( -- n )                  \ negative in a swap decision: the opponent has lowered the pieces
	blows @ IF lowered-pieces asked @ IF NEGATE ENDIF ELSE 0 ENDIF
;
: waste ( -- n ) wasted @ for-white lowered-now + #waste * ;    \ the player's cost less the enemy's

: OnEvaluate ( -- score )
	current-player side-of taken-score current-player foe side-of taken-score -
	advances +
	waste -
;
