\ turns.4th: the choice of the player to move in Yonin Shogi, mates, taking over armies, victory.

\ All of this happens when the turn passes, on the board: the engine runs OnNextTurn with the new position
\ on the board, in games and in searches.  A mated player has no turn, and a search detects a mate immediately.

\ === 1 Elimination =================================================================================

VARIABLE maker                          \ the player that made the last move

: replace ( piece pos -- ) DUP (remove-piece) (add-piece) ;
: hand-over ( pos -- )                  \ the pieces in hand on pos go to the maker
	DUP in-hand DUP
	IF                                      ( pos n )
		OVER (remove-piece)
		SWAP kind-in maker @ SWAP hand          ( n pos' )
		DUP in-hand ROT + 1- x1 + maker @ OR SWAP put
	ELSE 2DROP ENDIF
;
: hand-over-all ( player -- ) #kinds 0 DO DUP I hand hand-over LOOP DROP ;

\ The new owner of a piece whose player is eliminated, or its removal.
: fate ( pos -- )
	DUP piece-at                            ( pos piece )
	army-fate @ kings-fall @ IF DROP #inert ENDIF
	DUP #removed = IF 2DROP (remove-piece) ELSE
	OVER type king = IF DROP owner fallen OR SWAP replace ELSE
	#inert = IF type Nobody OR SWAP replace ELSE
	turned maker @ OR SWAP replace
	ENDIF ENDIF ENDIF
;
: put-out ( player -- )                 \ eliminates a player, by the maker of the last move
	#squares 0 DO I player-at OVER = IF I fate ENDIF LOOP
	DUP hand-over-all
	victor maker @ OR SWAP out-mark put
;

\ === 2 Victory =====================================================================================

: victims ( player -- n )
	0
	4 0 DO South-out I + player-at 2 PICK = IF 1+ ENDIF LOOP
	SWAP DROP
;
: heir? ( player -- ? )                 \ has the player mated one that had mated another?
	FALSE
	4 0 DO
		South-out I + player-at 2 PICK =
		IF I 1+ $EncodePlayer victims 0> OR ENDIF
	LOOP
	SWAP DROP
;
: alone? ( player -- ? ) DUP out? NOT SWAP DUP next-living = AND ;
: pair-won? ( player -- ? ) after DUP out? SWAP partner out? OR ;
: won? ( player -- ? )
	kings-fall @ IF alone? EXIT ENDIF
	in-pairs @ IF pair-won? EXIT ENDIF
	DUP alone? IF DROP TRUE EXIT ENDIF
	last-wins @ IF DROP FALSE EXIT ENDIF
	DUP out? IF DROP FALSE EXIT ENDIF
	DUP victims 1 > SWAP heir? OR
;
: any-player-out? ( -- ? ) South out? West out? OR North out? OR East out? OR ;

\ The winner, or 0.  Only the maker of the last move, its partner, or the opposing pair can have won.
: winner ( -- player )
	any-player-out? NOT IF 0 EXIT ENDIF
	maker @ DUP won? NOT IF after DUP won? NOT IF DROP 0 ENDIF ENDIF
;

\ === 3 The next player =============================================================================

\ The first player in check, in the order that begins after the maker of the move; or 0.
: first-in-check ( -- player )
	maker @
	BEGIN
		after
		DUP maker @ = IF DROP 0 EXIT ENDIF
		DUP out? IF FALSE ELSE DUP in-check? ENDIF
	UNTIL
;
: candidate ( last -- player )          \ last: the player that moved, or was eliminated or skipped after that
	strict-order @ IF 0 ELSE first-in-check ENDIF
	DUP IF SWAP DROP ELSE DROP next-living ENDIF
;

VARIABLE idle                           \ number of consecutively skipped players
\ If a player cannot move, it is eliminated or skipped.  (If no player can move, the first one
\ tried a second time gets the turn.)
: takes-turn? ( player -- ? )
	DUP able? IF DROP TRUE EXIT ENDIF
	DUP in-check? stalemate-kills @ OR
	IF put-out 0 idle ! FALSE ELSE DROP idle ++ idle @ 4 > ENDIF
;
: next-mover ( -- player )
	0 idle ! maker @
	BEGIN candidate DUP takes-turn? winner OR UNTIL
	winner DUP IF SWAP DROP ELSE DROP ENDIF
;

\ With rules=capture check has no effect.  A player that has lost its last king is out.
: kingless? ( player -- ? ) DUP king-at 0< SWAP 4 hand empty-at? AND ;
: put-out-kingless ( -- )
	maker @ next-living
	BEGIN DUP maker @ <> WHILE DUP kingless? IF DUP put-out ENDIF next-living REPEAT
	DROP
;
: next-capturer ( -- player )
	put-out-kingless
	maker @ DUP alone? NOT IF next-living ENDIF
;

: drawn-by-lot ( -- player ) urn player-at urn (remove-piece) ;

\ === 4 Events ======================================================================================

: slot ( player -- off )                \ offset of the player's entry in the turn order
	player-index [ #TurnOrderCells CELLS ] LITERAL * ;

: choose-player ( -- player )
	maker @ ?Lot = IF drawn-by-lot ELSE kings-fall @ IF next-capturer ELSE next-mover ENDIF ENDIF
;
: OnNextTurn ( -- )
	current-player maker !
	choose-player slot $SetTurn
	maker @ $EngineSetTurn
;

VARIABLE noted                          \ number of positions stored for repetition (search.4th)
: OnNewGame ( -- )
	repetition-reset noted OFF
	kings-fall @ DUP $passTurnForced ! IF 0 ELSE fallen ENDIF sacred !
	lots @ IF lot ?Lot OR urn (add-piece) ?Lot slot $SetTurn ENDIF
;

\ The host ignores the variables cleared here when it compares positions: they are computed for each move list,
\ or, like the last known squares of kings, searched again.
: OnForget ( -- )
	origin OFF man OFF zone OFF pawn-lines OFF careful OFF closely OFF testing OFF found OFF $piece OFF
	0 seen-at[] 4 CELLS ERASE 0 pinned[] 4 CELLS ERASE
;
