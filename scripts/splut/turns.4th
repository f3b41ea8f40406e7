\ The next turn, and the end of the game.

\ The turn order is a table of slots, one for each step, repeated without end.  `off` is the offset of a slot.  By the
\ article's rules every slot is used.  By other rules slots are skipped: the hook OnNextTurn below may advance by more
\ than one slot.

\ A turn of a team ends where the slot of another player follows.  For max-turns the turns of the teams still in the
\ game are counted, and the turn in which a team eliminated itself: the count is negative then.
: turn-ends ( player -- )
	turn-limit @ IF alive? quiet-turns 0< OR IF quiet-turns 1+ quiet-turns! ENDIF ELSE DROP ENDIF
;
: turn-begins ( player -- )
	lock-rule @ IF DUP cleaner = NOT IF DUP forget-last-turn ENDIF ENDIF
	DROP
;
: next-slot ( off -- off' )
	DUP turn-offset-to-player SWAP next-turn-offset
	DUP turn-offset-to-player ROT           ( off' new old )
	2DUP = IF 2DROP ELSE turn-ends turn-begins ENDIF
;

: skipped-by-settings? ( player -- ? )  \ does the player of this slot have no move under the chosen rules?
	DUP cleaner = IF DROP lock-rule @ 0<> ELSE
		DUP alive? NOT dead-rule @ AND
		SWAP thrown owner-at = after-rule @ AND OR
	ENDIF
;
: slot-skipped? ( player -- ? )
	win-rule @ decided? AND IF alive? NOT ELSE skipped-by-settings? ENDIF
;

\ The loop is limited, because a position that was set up may have no team: then every slot is skipped.
30 CONSTANT #most-slots
: next-used-slot ( off -- off' )
	find-teams
	#most-slots 0 DO next-slot DUP turn-offset-to-player slot-skipped? NOT IF LEAVE ENDIF LOOP
;
: plain-turns? ( -- ? ) lock-rule @ dead-rule @ after-rule @ win-rule @ turn-limit @ OR OR OR OR 0= ;
: turn-after ( off -- off' ) plain-turns? IF next-turn-offset ELSE next-used-slot ENDIF ;

\ The library's definition, with `turn-after` instead of `next-turn-offset`.
: OnNextTurn ( -- ) current-player turn-offset turn-after $SetTurn $EngineSetTurn ;

\ --- The end ----------------------------------------------------------------------------------------

: wizard-totals ( -- own others )       \ wizards of the current player, wizards of all others
	0 0
	#arena 0 DO
		I arena[] @ DUP piece-type-at WIZARD =
		IF friend-at? IF SWAP 1+ SWAP ELSE 1+ ENDIF ELSE DROP ENDIF
	LOOP
;

\ OnIsGameOver is called for the player about to move, which has won if it owns all wizards.  With win-test=own-move the
\ game continues with the passes after the deciding throw.
: last-wizard? ( -- ? )                 \ the search ends at a wizard of another player
	FALSE
	#arena 0 DO
		I arena[] @ DUP piece-type-at WIZARD =
		IF SWAP DROP friend-at? DUP NOT IF LEAVE ENDIF ELSE DROP ENDIF
	LOOP
;
: about-to-step? ( -- ? ) thrown friend-at? NOT win-rule @ OR ;
: too-quiet? ( -- ? ) turn-limit @ DUP 0> SWAP quiet-turns > NOT AND ;
: OnIsGameOver ( -- result )
	#UnknownScore
	last-wizard? about-to-step? AND IF DROP ^" the last wizards" #WinScore ELSE
	too-quiet? IF DROP ^" the limit of turns is reached" #DrawScore ENDIF ENDIF
;

\ --- Output for players -----------------------------------------------------------------------------

: OnShow ( -- ) ." -broom" ;
: .player ( player -- ) player-index CELLS $players @ + @ CFA>NFA @ TYPE ;
: .if-out ( player -- ) DUP alive? IF DROP ELSE .player ."  is out" CR ENDIF ;
: OnAnnounce ( -- ) find-teams 4 0 DO I 1+ $EncodePlayer .if-out LOOP ;
