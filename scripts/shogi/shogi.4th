\ Shogi: captured pieces change sides and are dropped; checkmate wins.

\ The parts, in the order in which they are loaded and can be read; shogi-mini.4th loads them as well:
\   basics.4th      directions, players, turns
\   this file       board, pieces, set-up
\   hands.4th       pieces in hand, promotion
\   moves.4th       moves and drops
\   ending.4th      checkmate, repetition, entering kings
\   evaluation.4th  the worth of positions

\ A hand is a row of positions beside the board, one for each kind of piece: a piece x2 of Black on Black-pawn means
\ that Black has two pawns in hand.  So hands are hashed, compared and restored with the board.  Move generation visits
\ these positions: the piece there moves by a drop.
{board
	9 9 {grid}                      \ a9 is 0, i1 is 80
	{position} Black-pawn   {position} Black-lance  {position} Black-knight {position} Black-silver
	{position} Black-gold   {position} Black-bishop {position} Black-rook
	{position} White-pawn   {position} White-lance  {position} White-knight {position} White-silver
	{position} White-gold   {position} White-bishop {position} White-rook
board}
7 CONSTANT #kinds                       \ kinds of pieces in hand
3 CONSTANT #zone                        \ ranks of the promotion zone

LOAD basics.4th

{pieces
	{piece} king    {moves} on-board    0 {value}
	{piece} pawn    {moves} on-board  100 {value}
	{piece} lance   {moves} on-board  300 {value}
	{piece} knight  {moves} on-board  350 {value}
	{piece} silver  {moves} on-board  500 {value}
	{piece} gold    {moves} on-board  550 {value}
	{piece} bishop  {moves} on-board  800 {value}
	{piece} rook    {moves} on-board 1000 {value}
	{piece} tokin   {moves} on-board  500 {value}   \ a promoted pawn
	{piece} +lance  {moves} on-board  520 {value}
	{piece} +knight {moves} on-board  530 {value}
	{piece} +silver {moves} on-board  550 {value}
	{piece} horse   {moves} on-board 1050 {value}   \ a promoted bishop
	{piece} dragon  {moves} on-board 1250 {value}   \ a promoted rook
	{piece} x1  {moves} in-hand 0 {value}           \ numbers of pieces in hand
	{piece} x2  {moves} in-hand 0 {value}
	{piece} x3  {moves} in-hand 0 {value}
	{piece} x4  {moves} in-hand 0 {value}
	{piece} x5  {moves} in-hand 0 {value}
	{piece} x6  {moves} in-hand 0 {value}
	{piece} x7  {moves} in-hand 0 {value}
	{piece} x8  {moves} in-hand 0 {value}
	{piece} x9  {moves} in-hand 0 {value}
	{piece} x10 {moves} in-hand 0 {value}
	{piece} x11 {moves} in-hand 0 {value}
	{piece} x12 {moves} in-hand 0 {value}
	{piece} x13 {moves} in-hand 0 {value}
	{piece} x14 {moves} in-hand 0 {value}
	{piece} x15 {moves} in-hand 0 {value}
	{piece} x16 {moves} in-hand 0 {value}
	{piece} x17 {moves} in-hand 0 {value}
	{piece} x18 {moves} in-hand 0 {value}
pieces}

\ Steps and slides.
' king IS royal
#all-round 0         king reaches
#ahead     0         pawn reaches       0 #ahead     lance reaches      #as-knight 0 knight reaches
#as-silver 0         silver reaches     #as-gold 0   gold reaches
0          #diagonal bishop reaches     0 #straight  rook reaches
#as-gold   0         tokin reaches      #as-gold 0   +lance reaches     #as-gold   0 +knight reaches
#as-gold   0         +silver reaches
#straight  #diagonal horse reaches      #diagonal #straight dragon reaches

x18 CONSTANT most-in-hand
LOAD hands.4th
pawn hand-kind  lance hand-kind  knight hand-kind  silver hand-kind  gold hand-kind  bishop hand-kind  rook hand-kind
pawn tokin promotes     lance +lance promotes   knight +knight promotes
silver +silver promotes bishop horse promotes   rook dragon promotes

LOAD moves.4th
LOAD ending.4th
' fourfold-draw IS fourfold-result

VARIABLE entering-kings-count
: entering-king=played ( -- ) entering-kings-count OFF ;  \ the game goes on until mate or repetition (default)
: entering-king=points ( -- ) entering-kings-count ON ;   \ a king in the promotion zone wins with enough points
: entered-with-points ( -- ? ) entering-kings-count @ IF entered? ELSE FALSE ENDIF ;
' entered-with-points IS entering-king-wins?

LOAD evaluation.4th

{board-setup
	{setup} Black lance  a1 {setup} Black knight b1 {setup} Black silver c1
	{setup} Black gold   d1 {setup} Black king   e1 {setup} Black gold   f1
	{setup} Black silver g1 {setup} Black knight h1 {setup} Black lance  i1
	{setup} Black bishop b2 {setup} Black rook   h2
	{setup} Black pawn   a3 {setup} Black pawn   b3 {setup} Black pawn   c3
	{setup} Black pawn   d3 {setup} Black pawn   e3 {setup} Black pawn   f3
	{setup} Black pawn   g3 {setup} Black pawn   h3 {setup} Black pawn   i3
	{setup} White pawn   a7 {setup} White pawn   b7 {setup} White pawn   c7
	{setup} White pawn   d7 {setup} White pawn   e7 {setup} White pawn   f7
	{setup} White pawn   g7 {setup} White pawn   h7 {setup} White pawn   i7
	{setup} White rook   b8 {setup} White bishop h8
	{setup} White lance  a9 {setup} White knight b9 {setup} White silver c9
	{setup} White gold   d9 {setup} White king   e9 {setup} White gold   f9
	{setup} White silver g9 {setup} White knight h9 {setup} White lance  i9
board-setup}
