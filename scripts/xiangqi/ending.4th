\ The end of the game.

LOAD perpetual-check.4th
LOAD chase.4th

: OnNewGame ( -- ) forget-checks ;
: OnGenerateMoves ( -- ) forget-facts best-capture OFF current-player in-check? note-check note-board ;
: OnForget ( -- ) forget-attacks clear-checks forget-chases best-capture OFF ;

: after-repetition ( -- result )
	3 perpetual-check DUP #UnknownScore <> IF ^" perpetual check" EXIT ENDIF DROP
	perpetual-chase   DUP #UnknownScore <> IF ^" perpetual chase" EXIT ENDIF DROP
	^" the position has occurred three times" #DrawScore
;

: attacker-type? ( type -- ? ) horse >= ;       \ the types after the elephant cross the river
: attackers-left? ( -- ? )
	#points BEGIN 1- DUP 0< NOT WHILE DUP piece-type-at attacker-type? IF DROP TRUE EXIT ENDIF REPEAT DROP FALSE
;

: OnIsGameOver ( -- result )
	stalemate? IF
		current-player in-check? IF ^" checkmate" ELSE ^" stalemate" ENDIF #LossScore
	ELSE
		occurrences @ 2 > IF after-repetition ELSE
		clock @ 119 > IF ^" sixty moves without a capture" #DrawScore ELSE
		attackers-left? NOT IF ^" no piece can cross the river" #DrawScore ELSE
			#UnknownScore
		ENDIF ENDIF ENDIF
	ENDIF
;

\ Announcements to the players.
: .player ( player -- ) player-index CELLS $players @ + @ CFA>NFA @ TYPE ;
: OnAnnounce ( -- ) current-player in-check? IF current-player .player ."  is in check" CR ENDIF ;
: OnShow ( -- ) ." points" ;
