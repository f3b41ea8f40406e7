\ Gliders: discs slide any number of squares. Planted: `glide` adds no move inside its loop.
{board 5 5 {grid} board}
{directions
	-1  0 {direction} north
	 1  0 {direction} south
	 0  1 {direction} east
	 0 -1 {direction} west
directions}
{players {player} Amber {player} Jade players}
{turn-order {turn} Amber {turn} Jade turn-order}

: glide ( 'dir -- )
	BEGIN
		DUP EXECUTE verify
		empty? verify
		from here move
	FALSE UNTIL
	DROP
;
: hop ( 'dir -- )
	DUP EXECUTE verify enemy? verify
	EXECUTE verify empty? verify
	from here move add-move
;
: to-n ( -- ) ['] north hop ;
: to-s ( -- ) ['] south hop ;
: to-e ( -- ) ['] east hop ;
: to-w ( -- ) ['] west glide ;
{moves disc-moves
	{move} to-n	{move} to-s	{move} to-e	{move} to-w
moves}
{pieces {piece} disc {moves} disc-moves pieces}
{board-setup
	{setup} Amber disc a1	{setup} Amber disc c1	{setup} Amber disc e1
	{setup} Jade disc a5	{setup} Jade disc c5	{setup} Jade disc e5
board-setup}
: OnIsGameOver ( -- result ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;
