\ Xiangqi: chess of China, with cannons, a river and palaces; mate or stalemate wins.

\ The parts, in the order in which they are loaded and can be read:
\   this file       board, pieces, set-up
\   moves.4th       moves
\   ending.4th      mate, repetition, draws
\   chase.4th       repetition while a piece is chased
\   evaluation.4th  the worth of positions
{board
	10 9 {grid}                     \ points; a10 is 0, i1 is 89
	{variable} clock                \ plies since a capture
board}

9 CONSTANT #files
90 CONSTANT #points

{directions
	-1  0 {direction} n     1  0 {direction} s     0  1 {direction} e     0 -1 {direction} w
	-1  1 {direction} ne    1 -1 {direction} sw   -1 -1 {direction} nw    1  1 {direction} se
	-2  2 {direction} nene  2 -2 {direction} swsw -2 -2 {direction} nwnw  2  2 {direction} sese
	-2  1 {direction} nne   2 -1 {direction} ssw  -2 -1 {direction} nnw   2  1 {direction} sse
	-1  2 {direction} ene   1 -2 {direction} wsw  -1 -2 {direction} wnw   1  2 {direction} ese
directions}

{players
	{player} Red                    \ moves first, up the board
	{player} Black
players}

{turn-order
	{turn} Red
	{turn} Black
turn-order}

\ A piece next to a horse or elephant, in the direction named last, hinders the leap.
LOAD attacks.4th
' n ' s line-ways   ' e ' w line-ways   ' ne ' sw leap-ways   ' nw ' se leap-ways
' nene ' swsw ' ne ' sw lame-leap-ways   ' nwnw ' sese ' nw ' se lame-leap-ways
' nne  ' ssw  ' n  ' s  lame-leap-ways   ' nnw  ' sse  ' n  ' s  lame-leap-ways
' ene  ' wsw  ' e  ' w  lame-leap-ways   ' wnw  ' ese  ' w  ' e  lame-leap-ways

\ moves.4th defines the move words.
DEFER board-moves
DEFER cannon-moves
{moves by-table {move} board-moves moves}
{moves cannons  {move} cannon-moves moves}

{pieces
	{piece} general  {moves} by-table   0 {value}
	{piece} advisor  {moves} by-table 200 {value}
	{piece} elephant {moves} by-table 200 {value}
	{piece} horse    {moves} by-table 400 {value}
	{piece} chariot  {moves} by-table 900 {value}
	{piece} cannon   {moves} cannons  450 {value}
	{piece} soldier  {moves} by-table 100 {value}
pieces}
' general IS royal

\ Steps and slides; one bit for each way, from the right in the order above.
BINARY
1111                 0    general  reaches
11110000             0    advisor  reaches
111100000000         0    elephant reaches
11111111000000000000 0    horse    reaches
0                    1111 chariot  reaches
1101                 0    soldier  reaches      \ n, e and w; moves.4th restricts e and w
DECIMAL

LOAD moves.4th
LOAD ending.4th
LOAD evaluation.4th

{board-setup
	{setup} Red chariot  a1 {setup} Red horse   b1 {setup} Red elephant c1 {setup} Red advisor d1
	{setup} Red general  e1 {setup} Red advisor f1 {setup} Red elephant g1 {setup} Red horse   h1
	{setup} Red chariot  i1 {setup} Red cannon  b3 {setup} Red cannon   h3
	{setup} Red soldier  a4 {setup} Red soldier c4 {setup} Red soldier  e4 {setup} Red soldier g4
	{setup} Red soldier  i4
	{setup} Black soldier a7 {setup} Black soldier c7 {setup} Black soldier  e7 {setup} Black soldier g7
	{setup} Black soldier i7
	{setup} Black cannon  b8 {setup} Black cannon  h8
	{setup} Black chariot a10 {setup} Black horse   b10 {setup} Black elephant c10 {setup} Black advisor d10
	{setup} Black general e10 {setup} Black advisor f10 {setup} Black elephant g10 {setup} Black horse   h10
	{setup} Black chariot i10
board-setup}
