\ Census: who has no disc left has lost. Planted: `discs` counts 5 squares too many.
{board 5 5 {grid} board}
{directions
	-1  0 {direction} north
	 1  0 {direction} south
	 0  1 {direction} east
	 0 -1 {direction} west
directions}
{players {player} Amber {player} Jade players}
{turn-order {turn} Amber {turn} Jade turn-order}

5 CONSTANT side
: discs ( -- n )
	0 side 1+ side * 0 DO
		I friend-at? IF 1+ ENDIF
	LOOP
;
: in-corner? ( -- ? )
	FALSE 25 0 DO
		I friend-at? IF I 0= I 24 = OR OR ENDIF
	LOOP
;
: go ( 'dir -- )
	EXECUTE verify
	friend? NOT verify
	from here move add-move
;
: to-n ( -- ) ['] north go ;
: to-s ( -- ) ['] south go ;
: to-e ( -- ) ['] east go ;
: to-w ( -- ) ['] west go ;
{moves disc-moves
	{move} to-n	{move} to-s	{move} to-e	{move} to-w
moves}
{pieces {piece} disc {moves} disc-moves pieces}
{board-setup
	{setup} Amber disc a1	{setup} Amber disc c1	{setup} Amber disc e1
	{setup} Jade disc a5	{setup} Jade disc c5	{setup} Jade disc e5
board-setup}
: OnIsGameOver ( -- result ) discs 0= IF #LossScore ELSE in-corner? IF #WinScore ELSE stalemate? IF #LossScore ELSE #UnknownScore ENDIF ENDIF ENDIF ;
