\ Hooks with side effects: random numbers, counters, an engine that changes variables.
{board
	3 3 {grid}
board}
VARIABLE game-over-calls
VARIABLE drawn
VARIABLE engine-runs
: random-engine ( -- )
	engine-runs ++
	1 1000 RAND-WITHIN drawn !
	$FirstMove $MoveString BestMove!
	42 Score!
;
{players
	{player} Red {search-engine} random-engine
	{player} Blue {random}
players}
{turn-order
	{turn} Red
	{turn} Blue
turn-order}
: put ( -- ) empty? verify 0 99 RAND-WITHIN drawn ! drop add-move ;
{moves put-moves
	{move} put
moves}
{pieces
	{piece} stone {drops} put-moves
pieces}
: OnIsGameOver ( -- score )
	game-over-calls ++
	#UnknownScore move-count 0= IF DROP #DrawScore ENDIF
;
