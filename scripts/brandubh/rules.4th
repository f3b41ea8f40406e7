\ The rules of brandubh and tablut.

\ The file that loads this one has defined the board and
\   THRONE       the square in the middle
\   refuge?      does the king win on `here`?
\   tell-escape  tells how he has won
\   king's?      may only the king stop on `here`?
\ and afterwards defines the set-up and says which squares are hostile:  ' hostile-square? IS hostile?

{directions
	-1 0 {direction} n   1 0 {direction} s   0 1 {direction} e   0 -1 {direction} w
directions}

{players
	{player} Attackers {player} Defenders
players}
{turn-order
	{turn} Attackers {turn} Defenders
turn-order}

LOAD repetition.4th                     \ note-position, occurrences, forget-positions
LOAD custodial.4th                      \ capture-enclosed, hostile?, captured?

DEFER KING                              \ the type of the king, which is defined below

: throne? ( -- ? ) here THRONE = ;
: may-stop? ( -- ? ) king's? NOT current-piece-type KING = OR ;

\ --- captures --------------------------------------------------------------------------------------

\ The king on the throne or beside it is captured only if attackers, or the empty throne, are on all of his sides.
: throne-in? ( 'dir -- ? ) from-prey throne? AND ;
: at-throne? ( -- ? )
	prey @ THRONE = ['] n throne-in? OR ['] s throne-in? OR ['] e throne-in? OR ['] w throne-in? OR
;
: strong? ( -- ? ) prey @ piece-type-at KING = IF at-throne? ELSE FALSE ENDIF ;
: surrounded-or-enclosed? ( 'dir -- ? ) strong? IF DROP surrounded? ELSE enclosed? ENDIF ;
' surrounded-or-enclosed? IS captured?

\ --- moves -----------------------------------------------------------------------------------------

: go-here ( -- ) from here move capture-enclosed add-move ;
: slide ( 'dir -- ) BEGIN DUP EXECUTE empty? AND WHILE may-stop? IF go-here ENDIF REPEAT DROP ;
: slide-n ( -- ) ['] n slide ;          : slide-s ( -- ) ['] s slide ;
: slide-e ( -- ) ['] e slide ;          : slide-w ( -- ) ['] w slide ;

{moves slides
	{move} slide-n {move} slide-s {move} slide-e {move} slide-w
moves}
{pieces
	{piece} attacker {moves} slides   30 {value}
	{piece} defender {moves} slides   50 {value}
	{piece} king     {moves} slides    0 {value}
pieces}
' king IS KING

\ --- the end ---------------------------------------------------------------------------------------

: king-square ( -- pos )                \ -1 if the king was captured
	-1 $scanPositions @ 0 DO I piece-type-at KING = IF DROP I LEAVE ENDIF LOOP
;
: escaped? ( -- ? ) king-square to refuge? ;

: OnNewGame ( -- ) forget-positions ;
: OnGenerateMoves ( -- ) note-position ;

\ Only the player who has just moved can have won.  The words after ^" say why the game has ended.
: OnIsGameOver ( -- result )
	king-square 0< IF ^" the king is captured" #LossScore ELSE
	escaped? IF tell-escape #LossScore ELSE
	stalemate? IF ^" no legal move" #LossScore ELSE
	occurrences @ 2 > IF ^" the position has occurred three times" #DrawScore ELSE
		#UnknownScore
	ENDIF ENDIF ENDIF ENDIF
;

\ Each move word depends only on the board and the turn.  OnIsGameOver and OnEvaluate ask at most whether there are moves,
\ and leave the board as it is.  The host reads these constants; the original ignores them.
TRUE CONSTANT independent-moves
TRUE CONSTANT hooks-keep-moves

\ --- evaluation, for the defenders ------------------------------------------------------------------

\ How far the king can go in a direction, and whether he finds a refuge there.
: count-ray ( n 'dir -- n' )
	king-square to BEGIN DUP EXECUTE empty? AND WHILE SWAP 1+ SWAP REPEAT DROP
;
: king-moves ( -- n ) 0 ['] n count-ray ['] s count-ray ['] e count-ray ['] w count-ray ;

: sees-refuge? ( 'dir -- ? ) king-square to BEGIN DUP EXECUTE empty? AND NOT UNTIL DROP refuge? empty? AND ;
: open-refuges ( -- n )
	['] n sees-refuge? ['] s sees-refuge? + ['] e sees-refuge? + ['] w sees-refuge? + NEGATE
;
: worth ( -- n )
	Defenders material-balance king-moves 4 * + open-refuges 150 * +
;
: OnEvaluate ( -- score ) worth current-player Attackers = IF NEGATE ENDIF ;
