\ Minishogi: shogi on five by five squares with six pieces each.

{board
	5 5 {grid}
	{position} Black-pawn {position} Black-silver {position} Black-gold {position} Black-bishop {position} Black-rook
	{position} White-pawn {position} White-silver {position} White-gold {position} White-bishop {position} White-rook
board}
5 CONSTANT #kinds
1 CONSTANT #zone

LOAD basics.4th

{pieces
	{piece} king    {moves} on-board    0 {value}
	{piece} pawn    {moves} on-board  100 {value}
	{piece} silver  {moves} on-board  500 {value}
	{piece} gold    {moves} on-board  550 {value}
	{piece} bishop  {moves} on-board  700 {value}
	{piece} rook    {moves} on-board  800 {value}
	{piece} tokin   {moves} on-board  500 {value}
	{piece} +silver {moves} on-board  550 {value}
	{piece} horse   {moves} on-board  950 {value}
	{piece} dragon  {moves} on-board 1100 {value}
	{piece} x1 {moves} in-hand 0 {value}
	{piece} x2 {moves} in-hand 0 {value}
pieces}

' king IS royal
#all-round 0         king reaches
#ahead     0         pawn reaches       #as-silver 0 silver reaches     #as-gold 0 gold reaches
0          #diagonal bishop reaches     0 #straight  rook reaches
#as-gold   0         tokin reaches      #as-gold 0   +silver reaches
#straight  #diagonal horse reaches      #diagonal #straight dragon reaches

x2 CONSTANT most-in-hand
LOAD hands.4th
pawn hand-kind  silver hand-kind  gold hand-kind  bishop hand-kind  rook hand-kind
pawn tokin promotes  silver +silver promotes  bishop horse promotes  rook dragon promotes

LOAD moves.4th
LOAD ending.4th
' fourfold-loses-for-Black IS fourfold-result
' FALSE IS entering-king-wins?
LOAD evaluation.4th

{board-setup
	{setup} Black king   a1 {setup} Black gold   b1 {setup} Black silver c1
	{setup} Black bishop d1 {setup} Black rook   e1 {setup} Black pawn   a2
	{setup} White pawn   e4 {setup} White rook   a5 {setup} White bishop b5
	{setup} White silver c5 {setup} White gold   d5 {setup} White king   e5
board-setup}
