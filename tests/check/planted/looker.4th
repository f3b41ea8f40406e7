\ A game with its own search engine, `think`. Planted: its loop does not end after the last move.
{board 3 3 {grid} board}
{players {player} X {player} O players}
{turn-order {turn} X {turn} O turn-order}
: put ( -- ) empty? verify drop add-move ;
{moves puts {move} put moves}
{pieces {piece} mark {drops} puts pieces}
: lost? ( -- ? ) a1 enemy-at? b2 enemy-at? AND c3 enemy-at? AND ;
: OnIsGameOver ( -- r ) lost? IF #LossScore ELSE stalemate? IF #DrawScore ELSE #UnknownScore ENDIF ENDIF ;
: think ( -- )
	$FirstMove
	BEGIN
		DUP $MoveString BestMove!
		$NextMove
		DUP 0= IF DROP $FirstMove ENDIF
		$Yield
		FALSE
	UNTIL ;
{players {player} X {search-engine} think {player} O players}
