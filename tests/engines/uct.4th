\ Tic-tac-toe: the engine {UCT} of the library plays X against random moves.
{board 3 3 {grid} board}
{players {player} X {UCT} {player} O {random} players}
{turn-order {turn} X {turn} O turn-order}
: put ( -- ) empty? verify drop add-move ;
{moves puts {move} put moves}
{pieces {piece} mark {drops} puts pieces}
CREATE lines
	a1 , a2 , a3 ,  b1 , b2 , b3 ,  c1 , c2 , c3 ,
	a1 , b1 , c1 ,  a2 , b2 , c2 ,  a3 , b3 , c3 ,
	a1 , b2 , c3 ,  a3 , b2 , c1 ,
: owner ( n -- player ) CELLS lines + @ player-at ;
: lined? ( n -- ? )
	3 * DUP owner DUP 0= IF 2DROP FALSE ELSE
	OVER 1+ owner OVER = ROT 2 + owner ROT = AND ENDIF ;
: any-line? ( -- ? ) FALSE 8 0 DO I lined? OR LOOP ;
: OnIsGameOver any-line? IF #LossScore ELSE stalemate? IF #DrawScore ELSE #UnknownScore ENDIF ENDIF ;
