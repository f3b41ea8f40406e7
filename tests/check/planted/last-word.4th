\ Snort: colour a cell, never beside the other colour; a player who cannot loses. Planted: OnIsGameOver has no `;`.

{board
	4 5 {grid}
board}
{directions
	-1 0 {direction} north
	1 0 {direction} south
	0 1 {direction} east
	0 -1 {direction} west
directions}
{players
	{player} Blue
	{player} Red
players}
{turn-order
	{turn} Blue
	{turn} Red
turn-order}

: hostile? ( 'dir -- ? )
	back EXECUTE IF enemy? ELSE FALSE ENDIF ;

: PAINT ( -- )
	empty? verify
	['] north hostile? NOT verify
	['] south hostile? NOT verify
	['] east hostile? NOT verify
	['] west hostile? NOT verify
	back drop
	add-move ;

{moves brush
	{move} PAINT
moves}
{pieces
	{piece} paint {drops} brush
pieces}

\ The last move wins.
: OnIsGameOver ( -- result )
	move-count 0= IF
		#LossScore
	ELSE
		#UnknownScore
	ENDIF
