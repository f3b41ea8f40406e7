\ Chess960: chess from one of 960 set-ups of the pieces behind the pawns.

\ The board, the set-up and castling differ from chess.  Marks (see chess.4th) on white-a to white-h and black-a to black-h
\ are castling rights: neither the rook on that file of the first rank nor the king has moved.
{board
	8 8 {grid}                      \ a8 is 0, h1 is 63
	{dummy-positions}
	{position} white-a {position} white-b {position} white-c {position} white-d
	{position} white-e {position} white-f {position} white-g {position} white-h
	{position} black-a {position} black-b {position} black-c {position} black-d
	{position} black-e {position} black-f {position} black-g {position} black-h
	{position} passed-a {position} passed-b {position} passed-c {position} passed-d
	{position} passed-e {position} passed-f {position} passed-g {position} passed-h
	{position} line-up-here          \ stands for the pieces behind the pawns in the set-up below
	{variable} clock                \ plies since a pawn move or a capture
board}

LOAD basics.4th
LOAD check.4th
LOAD draws.4th
LOAD moves.4th

CREATE promotions QUEEN , ROOK , BISHOP , KNIGHT , 0 ,
' promotions IS all-promotions

LOAD special.4th                        \ the pawn's double step, en passant
LOAD castling-960.4th
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
	{setup} White pawn a2 {setup} White pawn b2 {setup} White pawn c2 {setup} White pawn d2
	{setup} White pawn e2 {setup} White pawn f2 {setup} White pawn g2 {setup} White pawn h2
	{setup} Black pawn a7 {setup} Black pawn b7 {setup} Black pawn c7 {setup} Black pawn d7
	{setup} Black pawn e7 {setup} Black pawn f7 {setup} Black pawn g7 {setup} Black pawn h7
	{setup} White mark line-up-here
board-setup}

\ --- the set-up by its number ------------------------------------------------------------------------

VARIABLE start
: start= ( n -- )                       \ number of the set-up, 518 is that of chess; -1: drawn at random (default)
	DUP -1 < OVER 959 > OR ABORT" the numbers of the set-ups are 0 to 959, and -1 for one drawn at random"
	start !
;
-1 start=

\ The numbers are those of Reinhard Scharnagl: bishops, queen and knights take files by digits of the number; king and
\ rooks take the others.
#files [] line-up[]                     \ by file: the type of the piece
CREATE knight-files                     \ of two knights among five files
	0 , 1 ,  0 , 2 ,  0 , 3 ,  0 , 4 ,  1 , 2 ,  1 , 3 ,  1 , 4 ,  2 , 3 ,  2 , 4 ,  3 , 4 ,

: free-file ( n -- file )               \ the n-th file, from 0, without a piece
	-1 SWAP 1+ 0 DO BEGIN 1+ DUP line-up[] @ 0= UNTIL LOOP
;
: line-up ( type file -- ) line-up[] ! ;
: line-up-free ( type n -- ) free-file line-up ;
: line-up-knights ( n -- )
	2* CELLS knight-files +
	KNIGHT OVER CELLSIZE + @ line-up-free   KNIGHT SWAP @ line-up-free
;
: line-up-all ( n -- )
	0 line-up[] #files CELLS ERASE
	4 /MOD SWAP BISHOP SWAP 2* 1+ line-up
	4 /MOD SWAP BISHOP SWAP 2* line-up
	6 /MOD SWAP QUEEN SWAP line-up-free
	line-up-knights
	ROOK 0 line-up-free  KING 0 line-up-free  ROOK 0 line-up-free
;

: set-rook ( player file -- ) OVER MARK OR ROT ROT right-of (add-piece) ;
: set-piece ( player file -- )
	OVER OVER line-up[] @ OR 2 PICK 2 PICK rank-square (add-piece)
	DUP line-up[] @ ROOK = IF set-rook ELSE 2DROP ENDIF
;
: set-up ( n -- ) line-up-all #files 0 DO White I set-piece Black I set-piece LOOP ;
: start-number ( -- n ) start @ DUP 0< IF DROP 0 959 RAND-WITHIN ENDIF ;
\ Called for each piece of the set-up.  A position that a player sets up does not contain the mark.  In it, a castling right
\ without its rook is left out: it would come into force when another rook moves to the square.
: OnEditAdd ( player type pos -- )
	DUP line-up-here = IF 2DROP DROP start-number set-up ELSE OnEditAdd remove-lost-rights ENDIF
;
