\ The end of the game.

LOAD perpetual-check.4th

DEFER fourfold-result ( -- result )     \ of the fourth occurrence, unless one player has given check all the time
DEFER entering-king-wins? ( -- ? )

: OnNewGame ( -- ) forget-checks ;
: OnGenerateMoves ( -- ) forget-facts best-capture OFF current-player in-check? note-check ;
: OnForget ( -- ) clear-moves clear-checks ;

\ --- repetition ------------------------------------------------------------------------------------

: fourfold-draw ( -- result ) ^" the position has occurred four times" #DrawScore ;
: fourfold-loses-for-Black ( -- result )
	^" the position has occurred four times" current-player Black = IF #LossScore ELSE #WinScore ENDIF
;
: after-repetition ( -- result )
	4 perpetual-check DUP #UnknownScore =
	IF DROP fourfold-result ELSE ^" perpetual check" ENDIF
;

\ --- entering kings --------------------------------------------------------------------------------

\ The 27-point rule.  A rook or bishop, also a promoted one, has five points, every other piece one; pieces in the
\ promotion zone and in hand count.
: points-of ( kind -- n ) dropped-type[] @ DUP bishop = SWAP rook = OR IF 5 ELSE 1 ENDIF ;
: own-in-zone? ( pos -- ? ) DUP player-at current-player = IF current-player in-zone? ELSE DROP FALSE ENDIF ;
: counts? ( pos -- ? ) DUP own-in-zone? SWAP piece-type-at king <> AND ;
: men-in-zone ( -- n ) 0 #squares 0 DO I counts? IF 1+ ENDIF LOOP ;
: points ( -- n )
	0
	#squares 0 DO I counts? IF I piece-type-at kind[] @ points-of + ENDIF LOOP
	#kinds 0 DO current-player I hand count-in-hand I points-of * + LOOP
;
: enough-points? ( -- ? ) points current-player Black = IF 28 ELSE 27 ENDIF >= ;
: king-entered? ( -- ? ) current-player king-at DUP 0< IF DROP FALSE ELSE own-in-zone? ENDIF ;
: entered? ( -- ? )
	king-entered? NOT IF FALSE EXIT ENDIF
	current-player in-check? IF FALSE EXIT ENDIF
	men-in-zone 9 > enough-points? AND
;

\ --- the result ------------------------------------------------------------------------------------

: OnIsGameOver ( -- result )
	stalemate? IF
		current-player in-check? IF ^" checkmate" ELSE ^" no legal move" ENDIF #LossScore
	ELSE
		occurrences @ 3 > IF after-repetition ELSE
		entering-king-wins? IF ^" the king has entered the enemy camp" #WinScore ELSE
			#UnknownScore
		ENDIF ENDIF
	ENDIF
;

\ Announcements to the players.
: .player ( player -- ) player-index CELLS $players @ + @ CFA>NFA @ TYPE ;
: OnAnnounce ( -- ) current-player in-check? IF current-player .player ."  is in check" CR ENDIF ;
