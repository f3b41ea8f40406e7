\ Chess: with all its rules; the player that mates the enemy king wins.

\ This file defines the board, the pieces and the set-up; the files loaded below can be read in the order in which they
\ are loaded.  chess-los-alamos.4th uses most of them on a smaller board, chess-960.4th most of them with other set-ups.

\ Positions after {dummy-positions} are not squares.  A piece on one of them is a mark: it stores a castling right
\ or a possible capture en passant.  Two game states with different marks are different for a search and for the
\ repetition rule.  The clock is a variable, because it does not make game states different.
{board
	8 8 {grid}                      \ a8 is 0, h1 is 63
	{dummy-positions}
	{position} white-O-O            \ a mark here: White may still castle short
	{position} white-O-O-O
	{position} black-O-O
	{position} black-O-O-O
	{position} passed-a             \ a mark here: the pawn on file a has just moved two squares and may
	{position} passed-b             \ be captured en passant
	{position} passed-c
	{position} passed-d
	{position} passed-e
	{position} passed-f
	{position} passed-g
	{position} passed-h
	{variable} clock                \ plies since a pawn move or a capture
board}

LOAD basics.4th                         \ directions, players, types of pieces
LOAD check.4th                          \ attacks on squares, pins
LOAD draws.4th                          \ fifty moves, repetition, insufficient material; the end of the game
LOAD moves.4th                          \ moves of the pieces

CREATE promotions QUEEN , ROOK , BISHOP , KNIGHT , 0 ,
' promotions IS all-promotions

LOAD special.4th                        \ the pawn's double step, en passant
LOAD castling.4th
LOAD evaluation.4th

{pieces
	{piece} pawn   {moves} pawn-moves        100 {value}
	{piece} knight {moves} knight-moves      320 {value}
	{piece} bishop {moves} bishop-moves      330 {value}
	{piece} rook   {moves} rook-moves        500 {value}
	{piece} queen  {moves} queen-moves       950 {value}
	{piece} king   {moves} castling-moves      0 {value}
	{dummy-pieces}
	{piece} mark                               0 {value}
pieces}

{board-setup
	{setup} White rook   a1 {setup} White knight b1 {setup} White bishop c1 {setup} White queen d1
	{setup} White king   e1 {setup} White bishop f1 {setup} White knight g1 {setup} White rook  h1
	{setup} White pawn   a2 {setup} White pawn   b2 {setup} White pawn   c2 {setup} White pawn  d2
	{setup} White pawn   e2 {setup} White pawn   f2 {setup} White pawn   g2 {setup} White pawn  h2
	{setup} Black pawn   a7 {setup} Black pawn   b7 {setup} Black pawn   c7 {setup} Black pawn  d7
	{setup} Black pawn   e7 {setup} Black pawn   f7 {setup} Black pawn   g7 {setup} Black pawn  h7
	{setup} Black rook   a8 {setup} Black knight b8 {setup} Black bishop c8 {setup} Black queen d8
	{setup} Black king   e8 {setup} Black bishop f8 {setup} Black knight g8 {setup} Black rook  h8
	{setup} White mark white-O-O {setup} White mark white-O-O-O
	{setup} Black mark black-O-O {setup} Black mark black-O-O-O
board-setup}
