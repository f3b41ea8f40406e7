\ Los Alamos chess: six by six, without bishops; MANIAC I played it in 1956.

\ Loads the parts of chess that work on a board of any size.  special.4th is not loaded, so there is no castling and no
\ double step of a pawn, and therefore no capture en passant.
{board
	6 6 {grid}
	{variable} clock
board}

LOAD basics.4th
LOAD check.4th
LOAD draws.4th
LOAD moves.4th

CREATE promotions QUEEN , ROOK , KNIGHT , 0 ,
' promotions IS all-promotions

: no-marks ( -- ) ;                     \ only special moves use marks
' no-marks IS update-marks

LOAD evaluation.4th

{pieces
	{piece} pawn   {moves} plain-pawn-moves  100 {value}
	{piece} knight {moves} knight-moves      320 {value}
	{piece} bishop {moves} bishop-moves      330 {value}     \ unused; the types after it keep their numbers
	{piece} rook   {moves} rook-moves        500 {value}
	{piece} queen  {moves} queen-moves       950 {value}
	{piece} king   {moves} king-moves          0 {value}
pieces}

{board-setup
	{setup} White rook a1 {setup} White knight b1 {setup} White queen  c1
	{setup} White king d1 {setup} White knight e1 {setup} White rook   f1
	{setup} White pawn a2 {setup} White pawn   b2 {setup} White pawn   c2
	{setup} White pawn d2 {setup} White pawn   e2 {setup} White pawn   f2
	{setup} Black pawn a5 {setup} Black pawn   b5 {setup} Black pawn   c5
	{setup} Black pawn d5 {setup} Black pawn   e5 {setup} Black pawn   f5
	{setup} Black rook a6 {setup} Black knight b6 {setup} Black queen  c6
	{setup} Black king d6 {setup} Black knight e6 {setup} Black rook   f6
board-setup}
