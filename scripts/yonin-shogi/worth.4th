\ worth.4th: the end of a game of Yonin Shogi, what positions are worth, and how the search sees four players.

\ === 1 The end =====================================================================================

\ The turn never goes to a player who cannot move, unless nobody can.  But a game can be set up so.
: anybody-able? ( -- ? )
	FALSE 4 0 DO I 1+ $EncodePlayer DUP out? IF DROP ELSE able? OR ENDIF LOOP
;
: stuck-score ( -- score )
	current-player in-check? IF #LossScore EXIT ENDIF
	anybody-able? IF #UnknownScore ELSE #DrawScore ENDIF
;
: OnIsGameOver ( -- score )             \ for the player about to move: the winner gets the turn
	current-player contestant? NOT IF #UnknownScore EXIT ENDIF
	anybody-out? IF current-player won? IF #WinScore EXIT ENDIF ENDIF
	repeats @ 2 > IF #DrawScore EXIT ENDIF
	stalemate? IF stuck-score ELSE #UnknownScore ENDIF
;

\ === 2 The search's two sides ======================================================================

\ The built-in search knows two sides only, and turns the score round when the move goes from one to the other.
\ So there is the player for whom it thinks, with his partner if he has one, and all others are the other side.
VARIABLE thinks
: viewer ( -- player ) searching? IF thinks @ ELSE current-player ENDIF ;
' viewer IS thinker

: on-side? ( player -- ? )
	DUP viewer = IF DROP TRUE ELSE viewer partner = in-pairs @ AND ENDIF
;
: OnFriends? ( player player' -- ? )
	searching? IF on-side? SWAP on-side? = ELSE = ENDIF
;

: OnGenerateMoves ( -- )
	searching? NOT IF current-player thinks ! ENDIF
	current-player contestant? IF look-around ELSE only-kings OFF ENDIF
	kings-fall @ NOT IF note-start ENDIF
;

\ === 3 What a position is worth ====================================================================

\ Men on the board: material-balance counts one player against all others; in pairs the others' balances tell
\ what the partner's men are worth.
: pair-balance ( player -- n )
	DUP material-balance OVER partner material-balance +
	OVER after material-balance - SWAP after partner material-balance -
	2/
;
: men-balance ( player -- n ) in-pairs @ IF pair-balance ELSE material-balance ENDIF ;

\ Men in hand are worth a fifth more.
#kinds [] hand-value[]
: price ( -- ) #kinds 0 DO I drop-type piece-value 6 * 5 / I hand-value[] ! LOOP ;
price
: hand-sum ( player -- n )
	0 #kinds 0 DO OVER I hand in-hand I hand-value[] @ * + LOOP SWAP DROP
;
: hands-balance ( -- n )
	0 4 0 DO
		I 1+ $EncodePlayer DUP hand-sum SWAP on-side? NOT IF NEGATE ENDIF +
	LOOP
;
: OnEvaluate ( -- score )
	viewer men-balance hands-balance +
	current-player on-side? NOT IF NEGATE ENDIF
;
