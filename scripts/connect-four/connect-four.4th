\ Connect four: discs fall down the columns; four in a line win.

{board
	6 7 {grid}                      \ a6 to g6 is the upper row, a1 to g1 the lower one
board}

{directions
	-1 -1 {direction} nw   -1  0 {direction} n   -1  1 {direction} ne
	 0 -1 {direction} w                           0  1 {direction} e
	 1 -1 {direction} sw    1  0 {direction} s    1  1 {direction} se
directions}

{players
	{player} Yellow {player} Red
players}
{turn-order
	{turn} Yellow {turn} Red
turn-order}

LOAD in-a-row.4th                       \ has-line?, lines, and count-line

: supported? ( -- ? ) s IF not-empty? ELSE TRUE ENDIF back ;    \ at the lower edge `s` leaves FALSE
: put ( -- ) empty? verify supported? verify create add-move ;

{moves drops
	{move} put
moves}
{pieces
	{piece} disc {drops} drops
pieces}

\ The words after ^" say why the game has ended.
: OnIsGameOver ( -- result )
	4 7 next-player has-line? IF ^" four in a line" #LossScore ELSE
	stalemate? IF ^" the board is full" #DrawScore ELSE
		#UnknownScore
	ENDIF ENDIF
;

\ Each move word depends only on the board and the turn.  OnIsGameOver and OnEvaluate ask at most whether there are moves,
\ and leave the board as it is.  The host reads these constants; the original ignores them.
TRUE CONSTANT independent-moves
TRUE CONSTANT hooks-keep-moves

\ --- evaluation ------------------------------------------------------------------------------------

\ A line of four squares with discs of both players is worth nothing, another one the more, the more discs are in it.
CREATE lines 4 lines,
HERE CONSTANT lines-end

CREATE worths 0 , 1 , 4 , 16 , 0 ,
: worth ( discs -- n ) CELLS worths + @ ;
: line-worth ( mine theirs -- n )
	2DUP 0<> SWAP 0<> AND IF 2DROP 0 ELSE worth SWAP worth SWAP - ENDIF
;
: OnEvaluate ( -- score )
	0 lines-end lines DO I 4 count-line line-worth + 4 CELLS +LOOP
;
