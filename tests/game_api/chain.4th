\ A row of seven squares; a player continues while a jump is possible.
{board
	1 7 {grid}
	{variable} jumps
	3 {array} tally[]
	4 {carray} marks[]
board}
{directions
	0  1 {direction} ahead
	0 -1 {direction} back-again
directions}
{players
	{player} Red
	{player} Blue
players}
{turn-order
	{turn} Red
	{turn} Blue
turn-order}
{symmetries
	Blue {symmetry} ahead back-again
symmetries}
VARIABLE total
: note ( n -- ) 1 tally[] ! jumps ++ total ++ ;
: step ( -- ) ahead verify empty? verify from here move add-move ;
: jump ( -- )
	ahead verify enemy? verify here
	ahead verify empty? verify
	partial
	from here move
	capture-at
	7 COMPILE-LITERAL COMPILE note
	add-move
;
{moves man-moves
	{move} step {move-type} steps
	{move} jump {move-type} jumps-type
moves}
{pieces
	{piece} Man {moves} man-moves 5 {value}
pieces}
{board-setup
	{setup} Red Man a1
	{setup} Blue Man b1 {setup} Blue Man d1 {setup} Blue Man f1 {setup} Blue Man g1
board-setup}
