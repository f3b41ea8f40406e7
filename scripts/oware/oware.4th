\ Oware: seeds are sown around twelve houses; the player that captures more than half of them wins.

\ A house or a store with seeds is a piece whose type is the number of seeds, an empty one is an empty square.  So
\ displays, searches and the repetition rule see all that matters.  South's houses are a1 to f1, North's a2 to f2.
{board
	2 7 {grid}
	{dummy-positions}
	{position} hand                 \ the seeds to be sown, while a move is made
board}

\ North's houses have the letters a to f from its own side, so a2 is opposite to f1.
LOAD position-names.4th                 \ letter-of, set-letter
: rename ( pos -- ) ASCII a ASCII f + OVER letter-of - SWAP set-letter ;
: rename-row ( -- ) 6 0 DO I rename LOOP ;
rename-row

\ For displays: the ring of the houses, and the stores.
{directions
	{link} next a1 b1  {link} next b1 c1  {link} next c1 d1  {link} next d1 e1  {link} next e1 f1  {link} next f1 a2
	{link} next a2 b2  {link} next b2 c2  {link} next c2 d2  {link} next d2 e2  {link} next e2 f2  {link} next f2 a1
	{link} store f1 g1  {link} store a2 g2
directions}

g1 CONSTANT SOUTH-STORE
g2 CONSTANT NORTH-STORE

{players
	{player} South {player} North
players}
{turn-order
	{turn} South {turn} North
turn-order}

LOAD repetition.4th                     \ note-position, occurrences, forget-positions

\ --- houses ----------------------------------------------------------------------------------------

\ The houses are numbered in the order of sowing: South's from 0 to 5, North's from 6 to 11.
7 CONSTANT #columns
: house-at ( i -- pos ) DUP 6 < IF a1 + ELSE 11 SWAP - ENDIF ;
: house-number ( pos -- i ) DUP #columns < IF 11 SWAP - ELSE a1 - ENDIF ;
: next-house ( pos -- pos' ) house-number 1+ 12 MOD house-at ;
: previous-house ( pos -- pos' ) house-number 11 + 12 MOD house-at ;
: house? ( pos -- ? ) #columns MOD 6 <> ;

: other ( player -- player' ) South = IF North ELSE South ENDIF ;
: row-owner ( pos -- player ) #columns < IF North ELSE South ENDIF ;
: store-of ( player -- pos ) South = IF SOUTH-STORE ELSE NORTH-STORE ENDIF ;

: seeds-at ( pos -- n ) piece-type-at ; \ 0 if there are none
: in-store ( player -- n ) store-of seeds-at ;
: in-row ( player -- n ) South = IF a1 ELSE f2 ENDIF 0 SWAP DUP 6 + SWAP DO I seeds-at + LOOP ;

\ --- what a move does --------------------------------------------------------------------------------

\ These words run when a move is made.
: put-seeds ( n pos -- )                \ in place of those that are there
	DUP not-empty-at? IF DUP (remove-piece) ENDIF
	OVER IF DUP row-owner ROT OR SWAP (add-piece) ELSE 2DROP ENDIF
;
: add-seeds ( n pos -- ) DUP seeds-at ROT + SWAP put-seeds ;

: sow ( pos -- pos' )                   \ around the houses except that of origin; pos' gets the last seed
	DUP hand seeds-at hand (remove-piece)   ( origin pos n )
	0 DO
		next-house 2DUP = IF next-house ENDIF
		1 OVER add-seeds
	LOOP
	SWAP DROP
;

\ A house of the other player that now has two or three seeds is captured, if it got the last seed or the next house
\ is captured, too.
VARIABLE prize                          \ the number of seeds that the move captures
: captured? ( player pos -- ? )
	DUP row-owner ROT = IF DROP FALSE ELSE seeds-at DUP 2 = SWAP 3 = OR ENDIF
;
: count-prize ( player pos -- )
	prize OFF
	BEGIN 2DUP captured? WHILE DUP seeds-at prize +! previous-house REPEAT
	2DROP
;
: remove-prize ( player pos -- )
	BEGIN 2DUP captured? WHILE 0 OVER put-seeds previous-house REPEAT
	2DROP
;
: grand-slam? ( player -- ? ) other in-row prize @ = ;  \ would all seeds of the other player be captured?
: capture-prize ( player pos -- )
	2DUP count-prize
	OVER grand-slam? IF 2DROP EXIT ENDIF
	OVER SWAP remove-prize
	prize @ SWAP store-of add-seeds
;
: play ( pos -- ) DUP row-owner SWAP sow capture-prize ;

\ --- moves -----------------------------------------------------------------------------------------

\ If the other player has no seeds in the houses, a move must give some.
: gives? ( pos -- ? ) DUP house-number 6 MOD SWAP seeds-at + 5 > ;
: must-give? ( -- ? ) current-player other in-row 0= ;

: sow-here ( -- )
	here house? verify
	must-give? IF here gives? verify ENDIF
	from hand move
	from COMPILE-LITERAL COMPILE play
	add-move
;
{moves sowing
	{move} sow-here
moves}

\ The n-th type is that of n seeds.
{pieces
	{piece} 1-seed {moves} sowing    {piece} 2-seeds {moves} sowing   {piece} 3-seeds {moves} sowing
	{piece} 4-seeds {moves} sowing   {piece} 5-seeds {moves} sowing   {piece} 6-seeds {moves} sowing
	{piece} 7-seeds {moves} sowing   {piece} 8-seeds {moves} sowing   {piece} 9-seeds {moves} sowing
	{piece} 10-seeds {moves} sowing  {piece} 11-seeds {moves} sowing  {piece} 12-seeds {moves} sowing
	{piece} 13-seeds {moves} sowing  {piece} 14-seeds {moves} sowing  {piece} 15-seeds {moves} sowing
	{piece} 16-seeds {moves} sowing  {piece} 17-seeds {moves} sowing  {piece} 18-seeds {moves} sowing
	{piece} 19-seeds {moves} sowing  {piece} 20-seeds {moves} sowing  {piece} 21-seeds {moves} sowing
	{piece} 22-seeds {moves} sowing  {piece} 23-seeds {moves} sowing  {piece} 24-seeds {moves} sowing
	{piece} 25-seeds {moves} sowing  {piece} 26-seeds {moves} sowing  {piece} 27-seeds {moves} sowing
	{piece} 28-seeds {moves} sowing  {piece} 29-seeds {moves} sowing  {piece} 30-seeds {moves} sowing
	{piece} 31-seeds {moves} sowing  {piece} 32-seeds {moves} sowing  {piece} 33-seeds {moves} sowing
	{piece} 34-seeds {moves} sowing  {piece} 35-seeds {moves} sowing  {piece} 36-seeds {moves} sowing
	{piece} 37-seeds {moves} sowing  {piece} 38-seeds {moves} sowing  {piece} 39-seeds {moves} sowing
	{piece} 40-seeds {moves} sowing  {piece} 41-seeds {moves} sowing  {piece} 42-seeds {moves} sowing
	{piece} 43-seeds {moves} sowing  {piece} 44-seeds {moves} sowing  {piece} 45-seeds {moves} sowing
	{piece} 46-seeds {moves} sowing  {piece} 47-seeds {moves} sowing  {piece} 48-seeds {moves} sowing
pieces}

{board-setup
	{setup} South 4-seeds a1  {setup} South 4-seeds b1  {setup} South 4-seeds c1
	{setup} South 4-seeds d1  {setup} South 4-seeds e1  {setup} South 4-seeds f1
	{setup} North 4-seeds a2  {setup} North 4-seeds b2  {setup} North 4-seeds c2
	{setup} North 4-seeds d2  {setup} North 4-seeds e2  {setup} North 4-seeds f2
board-setup}

\ --- the end ---------------------------------------------------------------------------------------

24 CONSTANT #half                       \ half of all seeds

: OnNewGame ( -- ) forget-positions ;
: OnGenerateMoves ( -- ) note-position ;

: more-than-half? ( player -- ? ) in-store #half > ;
: in-store-and-row ( player -- n ) DUP in-store SWAP in-row + ;
: result-by-rows ( -- result )          \ each player takes the seeds in its own row
	current-player in-store-and-row
	DUP #half > IF DROP #WinScore ELSE #half < IF #LossScore ELSE #DrawScore ENDIF ENDIF
;
: OnIsGameOver ( -- result )
	current-player other more-than-half? IF ^" more than half of the seeds" #LossScore ELSE
	stalemate? IF ^" no legal move, the rest is divided by rows" result-by-rows ELSE
	occurrences @ 1 > IF ^" a position has occurred again, the rest is divided by rows" result-by-rows ELSE
		#UnknownScore
	ENDIF ENDIF ENDIF
;

\ Each move word depends only on the board and the turn.  OnIsGameOver and OnEvaluate ask at most whether there are moves,
\ and leave the board as it is.  The host reads these constants; the original ignores them.
TRUE CONSTANT independent-moves
TRUE CONSTANT hooks-keep-moves

\ --- evaluation ------------------------------------------------------------------------------------

: lead ( -- n ) current-player in-store current-player other in-store - ;
: OnEvaluate ( -- score ) lead 10 * ;
