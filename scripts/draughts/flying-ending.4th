\ The end of the game.  The game has defined its draws by counting, `drawn-by-count?`.

LOAD repetition.4th

: OnNewGame ( -- ) forget-positions ;
: OnGenerateMoves ( -- ) mover OFF note-position ;

: OnIsGameOver ( -- result )
	stalemate? IF ^" no legal move" #LossScore EXIT ENDIF
	occurrences @ 2 > IF ^" the position has occurred three times" #DrawScore EXIT ENDIF
	drawn-by-count? IF #DrawScore ELSE #UnknownScore ENDIF
;
