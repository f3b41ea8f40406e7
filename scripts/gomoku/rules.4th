\ The rules of gomoku.  The file that loads this one has defined the board and `longest-win`: more than that many stones
\ in a line do not win.

{directions
	-1 -1 {direction} nw   -1  0 {direction} n   -1  1 {direction} ne
	 0 -1 {direction} w                           0  1 {direction} e
	 1 -1 {direction} sw    1  0 {direction} s    1  1 {direction} se
directions}

{players
	{player} Black {player} White
players}
{turn-order
	{turn} Black {turn} White
turn-order}

LOAD in-a-row.4th                       \ has-line?, lines, and count-line

: put ( -- ) empty? verify create add-move ;

{moves stone-drops
	{move} put
moves}
{pieces
	{piece} stone {drops} stone-drops
pieces}

\ The words after ^" say why the game has ended.
: OnIsGameOver ( -- result )
	5 longest-win next-player has-line? IF ^" five in a line" #LossScore ELSE
	stalemate? IF ^" the board is full" #DrawScore ELSE
		#UnknownScore
	ENDIF ENDIF
;

\ Each move word depends only on the board and the turn.  OnIsGameOver and OnEvaluate ask at most whether there are moves,
\ and leave the board as it is.  The host reads these constants; the original ignores them.
TRUE CONSTANT independent-moves
TRUE CONSTANT hooks-keep-moves

\ --- evaluation ------------------------------------------------------------------------------------

\ A line of five points with stones of both players is worth nothing.  Another one is worth the more, the more stones are
\ in it, and more to the player to move, who can add the next stone: four stones win at once.
CREATE lines 5 lines,
HERE CONSTANT lines-end

CREATE worths-to-mover 0 , 2 , 12 , 70 , 100000 , 0 ,
CREATE worths 0 , 1 , 8 , 40 , 400 , 0 ,
: line-worth ( mine theirs -- n )
	DUP 0= IF DROP CELLS worths-to-mover + @ ELSE
		SWAP IF DROP 0 ELSE CELLS worths + @ NEGATE ENDIF
	ENDIF
;
: OnEvaluate ( -- score )
	0 lines-end lines DO I 5 count-line line-worth + 5 CELLS +LOOP
;
