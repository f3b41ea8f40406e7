\ turns.4th: the choice of the player to move in Yonin Shogi, mates, taking over armies, victory.

\ The words of this file run when the turn passes: in games and in searches the engine runs OnNextTurn with the new
\ position on the board.  So a player that is mated is eliminated before it gets a turn, also in a search.

\ === 1 Elimination =================================================================================

VARIABLE last-mover                     \ the player that made the last move

: replace ( piece pos -- ) DUP (remove-piece) (add-piece) ;
: hand-over ( pos -- )                  \ the pieces in hand on pos go to the maker
	DUP count-in-hand DUP
	IF                                      ( pos n )
		OVER (remove-piece)
		SWAP kind-in last-mover @ SWAP hand          ( n pos' )
		DUP count-in-hand ROT + 1- x1 + last-mover @ OR SWAP set-piece
	ELSE 2DROP ENDIF
;
: hand-over-all ( player -- ) #kinds 0 DO DUP I hand hand-over LOOP DROP ;

\ What happens to a piece whose player is eliminated: it gets a new owner, or is removed.
: transfer-or-remove ( pos -- )
	DUP piece-at                            ( pos piece )
	army-fate @ kings-fall @ IF DROP #inert ENDIF
	DUP #removed = IF 2DROP (remove-piece) ELSE
	OVER type-of king = IF DROP owner-of fallen OR SWAP replace ELSE
	#inert = IF type-of Nobody OR SWAP replace ELSE
	turned last-mover @ OR SWAP replace
	ENDIF ENDIF ENDIF
;
: eliminate ( player -- )               \ the player that made the last move gets its pieces
	#squares 0 DO I player-at OVER = IF I transfer-or-remove ENDIF LOOP
	DUP hand-over-all
	victor last-mover @ OR SWAP out-mark set-piece
;

\ === 2 Victory =====================================================================================

: count-mated ( player -- n )
	0
	4 0 DO South-out I + player-at 2 PICK = IF 1+ ENDIF LOOP
	SWAP DROP
;
: has-mated-mater? ( player -- ? )      \ has the player mated one that had mated another?
	FALSE
	4 0 DO
		South-out I + player-at 2 PICK =
		IF I 1+ $EncodePlayer count-mated 0> OR ENDIF
	LOOP
	SWAP DROP
;
: alone? ( player -- ? ) DUP eliminated? NOT SWAP DUP next-living = AND ;
: pair-won? ( player -- ? ) next-in-order DUP eliminated? SWAP partner eliminated? OR ;
: won? ( player -- ? )
	kings-fall @ IF alone? EXIT ENDIF
	in-pairs @ IF pair-won? EXIT ENDIF
	DUP alone? IF DROP TRUE EXIT ENDIF
	last-wins @ IF DROP FALSE EXIT ENDIF
	DUP eliminated? IF DROP FALSE EXIT ENDIF
	DUP count-mated 1 > SWAP has-mated-mater? OR
;
: any-player-eliminated? ( -- ? ) South eliminated? West eliminated? OR North eliminated? OR East eliminated? OR ;

\ The winner, or 0.  Only the player that made the last move, its partner, or the opposing pair can have won.
: winner ( -- player )
	any-player-eliminated? NOT IF 0 EXIT ENDIF
	last-mover @ DUP won? NOT IF next-in-order DUP won? NOT IF DROP 0 ENDIF ENDIF
;

\ === 3 The next player =============================================================================

\ The first player in check, in the turn order after the player that made the last move; 0 if no player is in check.
: first-in-check ( -- player )
	last-mover @
	BEGIN
		next-in-order
		DUP last-mover @ = IF DROP 0 EXIT ENDIF
		DUP eliminated? IF FALSE ELSE DUP in-check? ENDIF
	UNTIL
;
: candidate ( last -- player )          \ last: the player that moved, or was eliminated or skipped after that
	strict-order @ IF 0 ELSE first-in-check ENDIF
	DUP IF SWAP DROP ELSE DROP next-living ENDIF
;

VARIABLE skipped-players                \ number of consecutively skipped players
\ If a player cannot move, it is eliminated or skipped.  If no player can move, the first player that is tried for the
\ second time gets the turn.
: takes-turn? ( player -- ? )
	DUP can-move? IF DROP TRUE EXIT ENDIF
	DUP in-check? stalemate-kills @ OR
	IF eliminate 0 skipped-players ! FALSE ELSE DROP skipped-players ++ skipped-players @ 4 > ENDIF
;
: next-mover ( -- player )
	0 skipped-players ! last-mover @
	BEGIN candidate DUP takes-turn? winner OR UNTIL
	winner DUP IF SWAP DROP ELSE DROP ENDIF
;

\ With rules=capture check has no effect.  A player that has lost its last king is out.
: kingless? ( player -- ? ) DUP king-at 0< SWAP 4 hand empty-at? AND ;
: eliminate-kingless ( -- )
	last-mover @ next-living
	BEGIN DUP last-mover @ <> WHILE DUP kingless? IF DUP eliminate ENDIF next-living REPEAT
	DROP
;
: next-capturer ( -- player )
	eliminate-kingless
	last-mover @ DUP alone? NOT IF next-living ENDIF
;

: drawn-by-lot ( -- player ) urn player-at urn (remove-piece) ;

\ === 4 Hooks =======================================================================================

: slot ( player -- off )                \ offset of the player's entry in the turn order
	player-index [ #TurnOrderCells CELLS ] LITERAL * ;

: choose-player ( -- player )
	last-mover @ ?Lot = IF drawn-by-lot ELSE kings-fall @ IF next-capturer ELSE next-mover ENDIF ENDIF
;
: OnNextTurn ( -- )
	current-player last-mover !
	choose-player slot $SetTurn
	last-mover @ $EngineSetTurn
;

VARIABLE noted                          \ number of positions stored for repetition (search.4th)
: OnNewGame ( -- )
	repetition-reset noted OFF
	kings-fall @ DUP $passTurnForced ! IF 0 ELSE fallen ENDIF last-uncapturable !
	lots @ IF lot ?Lot OR urn (add-piece) ?Lot slot $SetTurn ENDIF
;

\ The host ignores the variables cleared here when it compares positions: they are computed for each move list,
\ or, like the last known squares of kings, searched again.
: OnForget ( -- )
	origin OFF man OFF zone OFF pawn-lines OFF $piece OFF
	test-all-pieces OFF test-this-piece OFF testing OFF move-found OFF
	0 last-king-squares[] 4 CELLS ERASE 0 pinned[] 4 CELLS ERASE
;
