\ Dominoes: a piece covers two squares, a head and the tail to its right.  A player without moves has lost.
{board 4 5 {grid} board}
{directions
	-1  0 {direction} up	 1  0 {direction} down
	 0 -1 {direction} left	 0  1 {direction} right
directions}
{players {player} South {player} North players}
{turn-order {turn} South {turn} North turn-order}
: head-fits? ( pos -- ? ) 5 MOD 4 < ;     \ whether a square has a right neighbour for the tail
: shift ( 'dir -- )
	EXECUTE verify empty? verify here 1+ empty-at? verify
	from here move  from 1+ here 1+ move  add-move
;
: go-up ['] up shift ;
: go-down ['] down shift ;
: go-left left verify empty? verify  from here move  from 1+ from move  add-move ;
: go-right
	from 1+ head-fits? verify  from 2 + empty-at? verify
	from 1+ from 2 + move  right verify  from here move  add-move
;
{moves going {move} go-up {move} go-down {move} go-left {move} go-right moves}
{pieces
	{piece} head {moves} going 3 {value}
	{piece} tail 1 {value}
pieces}
{board-setup
	{setup} South head a1 {setup} South tail b1
	{setup} South head d2 {setup} South tail e2
	{setup} North head b4 {setup} North tail c4
	{setup} North head a3 {setup} North tail b3
board-setup}
: OnIsGameOver ( -- score ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;
\ Squares near the middle columns, and squares in later rows, have a higher value.
: square-value ( pos -- n ) DUP 5 MOD DUP 4 SWAP - * SWAP 5 / 3 * + ;
: OnEvaluate ( -- score )
	0 20 0 DO
		I not-empty-at? IF I square-value I friend-at? NOT IF NEGATE ENDIF + ENDIF
	LOOP
;
