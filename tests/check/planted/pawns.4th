\ Pawns: discs of both players move away from their own side. Planted: `ahead` is compiled before the symmetries.
{board 5 5 {grid} board}
{directions
	-1  0 {direction} north
	 1  0 {direction} south
	 0  1 {direction} east
	 0 -1 {direction} west
directions}
{players {player} Amber {player} Jade players}
{turn-order {turn} Amber {turn} Jade turn-order}

: ahead ( -- ) north verify empty? verify from here move add-move ;
{symmetries Jade {symmetry} north south symmetries}
: sideways ( 'dir -- ) EXECUTE verify enemy? verify from here move add-move ;
: to-e ( -- ) ['] east sideways ;
: to-w ( -- ) ['] west sideways ;
: back-one ( -- ) south verify enemy? verify from here move add-move ;
{moves disc-moves
	{move} ahead	{move} to-e	{move} to-w	{move} back-one
moves}
{pieces {piece} disc {moves} disc-moves pieces}
{board-setup
	{setup} Amber disc a1	{setup} Amber disc c1	{setup} Amber disc e1
	{setup} Jade disc a5	{setup} Jade disc c5	{setup} Jade disc e5
board-setup}
: OnIsGameOver ( -- result ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;
