\ Three sides. Planted: the turn order lacks Onyx.
{board 5 5 {grid} board}
{directions
	-1  0 {direction} north
	 1  0 {direction} south
	 0  1 {direction} east
	 0 -1 {direction} west
directions}
{players {player} Amber {player} Jade {player} Onyx {neutral} Stone players}
{turn-order {turn} Amber {turn} Jade turn-order}

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
	{setup} Onyx disc a3	{setup} Onyx disc e3	{setup} Stone disc c3
board-setup}
: OnIsGameOver ( -- result ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;
