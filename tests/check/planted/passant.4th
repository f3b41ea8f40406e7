\ En passant: a disc that moves two squares can be captured. Planted: `rush` sets `passed` while moves are generated.
{board 5 5 {grid} {variable} passed {variable} quiet board}
{directions
	-1  0 {direction} north
	 1  0 {direction} south
	 0  1 {direction} east
	 0 -1 {direction} west
directions}
{players {player} Amber {player} Jade players}
{turn-order {turn} Amber {turn} Jade turn-order}

: quiet! ( n -- ) quiet ! ;
: go ( 'dir -- )
	EXECUTE verify
	empty? verify
	from here move
	quiet @ 1+ COMPILE-LITERAL COMPILE quiet!
	add-move
;
: rush ( 'dir -- )
	DUP EXECUTE verify empty? verify
	here passed !
	EXECUTE verify empty? verify
	from here move
	add-move
;
: en-passant ( 'dir -- )
	EXECUTE verify
	here passed @ = verify
	from here move
	add-move
;
: to-n ( -- ) ['] north go ;
: to-s ( -- ) ['] south go ;
: to-e ( -- ) ['] east go ;
: to-w ( -- ) ['] west go ;
: rush-n ( -- ) ['] north rush ;
: rush-s ( -- ) ['] south rush ;
: passing-e ( -- ) ['] east en-passant ;
{moves disc-moves
	{move} to-n	{move} to-s	{move} to-e	{move} to-w
	{move} rush-n	{move} rush-s	{move} passing-e
moves}
{pieces {piece} disc {moves} disc-moves pieces}
{board-setup
	{setup} Amber disc a1	{setup} Amber disc c1	{setup} Amber disc e1
	{setup} Jade disc a5	{setup} Jade disc c5	{setup} Jade disc e5
board-setup}
: OnIsGameOver ( -- result ) quiet @ 40 > IF #DrawScore ELSE stalemate? IF #LossScore ELSE #UnknownScore ENDIF ENDIF ;
