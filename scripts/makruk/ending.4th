\ The end of the game.

LOAD repetition.4th

: OnNewGame ( -- ) forget-positions ;
: OnGenerateMoves ( -- ) forget-facts best-capture OFF note-position ;
: OnForget ( -- ) forget-attacks best-capture OFF ;

: OnIsGameOver ( -- result )
	stalemate? IF
		current-player in-check? IF ^" checkmate" #LossScore ELSE ^" stalemate" #DrawScore ENDIF
	ELSE
		occurrences @ 2 > IF ^" the position has occurred three times" #DrawScore ELSE
		limit @ 0> count @ limit @ > AND IF ^" the count has ended" #DrawScore ELSE
		all-men 2 = IF ^" only kings are left" #DrawScore ELSE
			#UnknownScore
		ENDIF ENDIF ENDIF
	ENDIF
;

\ Announcements to the players.
: .player ( player -- ) player-index CELLS $players @ + @ CFA>NFA @ TYPE ;
: OnAnnounce ( -- ) current-player in-check? IF current-player .player ."  is in check" CR ENDIF ;
: OnShow ( -- ) ." count limit" ;
