\ The rules of Reversi.  The file that loads this one has defined the board.

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

\ The xts of all direction words, for loops over the directions.
8 CONSTANT #directions
CREATE direction-xts ' nw , ' n , ' ne , ' w , ' e , ' sw , ' s , ' se ,
: direction ( i -- 'dir ) CELLS direction-xts + @ ;

\ A direction word returns FALSE at the edge and keeps `here`.  So after the loop `here` is the first square
\ without an enemy disc or, at the edge, the last enemy disc, which is not an own disc.
: past-enemies ( 'dir -- ) BEGIN DUP EXECUTE enemy? AND NOT UNTIL DROP ;

\ Is there a line of enemy discs in this direction, followed by an own disc?  If so, `here` is the own disc.
: flanked? ( 'dir -- ? )
	back DUP EXECUTE enemy? AND
	IF past-enemies friend? ELSE DROP FALSE ENDIF
;

: flip ( 'dir -- )                      \ from the new disc up to the one at `here`
	here back SWAP                          ( last 'dir )
	BEGIN DUP EXECUTE DROP OVER here <> WHILE current-player change-owner REPEAT
	2DROP
;

\ The board does not change while a move is built: the squares between the new disc and the flanking one still show
\ enemy discs.  If nothing was flanked, `verify` discards the move with the disc that was already in it.
: put ( -- )
	empty? verify
	create
	FALSE
	#directions 0 DO
		I direction flanked? IF DROP TRUE I direction flip ENDIF
	LOOP
	verify add-move
;

{moves disc-drops
	{move} put {move-type} putting
moves}
{pieces
	{piece} disc {drops} disc-drops
pieces}

\ No move depends on the moves before it in the list.  The host reads this constant; the original ignores it.
TRUE CONSTANT independent-moves

\ A player without a move passes: then the list has only that move.
$passTurnForced ON

: must-pass? ( -- ? ) $passed @ ;       \ of the newest list

: neither-player-can-move? ( -- ? )
	must-pass? IF
		^" no player can move, the discs count" \ a list ends the comment on the result
		next-player FALSE #NoMoveType $GenerateMoves must-pass? $DeallocateMoves
	ELSE FALSE ENDIF
;

: result-by-discs ( -- result )
	current-player material-balance
	DUP 0> IF DROP #WinScore ELSE 0< IF #LossScore ELSE #DrawScore ENDIF ENDIF
;

: OnIsGameOver ( -- result )
	neither-player-can-move? IF result-by-discs ELSE #UnknownScore ENDIF
;

\ --- evaluation ------------------------------------------------------------------------------------

\ Discs on corners are never turned; discs next to corners help the enemy to reach them.
: edge-distance ( i n -- d ) 1- OVER - MIN ;
: square-worth ( pos -- n )             \ 60 in a corner, negative next to corners and edges, 5 or 1 elsewhere
	$columns @ /MOD $rows @ edge-distance SWAP $columns @ edge-distance
	2DUP MAX >R MIN
	DUP 0= IF DROP R@ 0= IF 60 ELSE R@ 1 = IF -12 ELSE 5 ENDIF ENDIF ELSE
	1 = IF R@ 1 = IF -25 ELSE -3 ENDIF ELSE 1 ENDIF ENDIF
	R> DROP
;

$rows @ $columns @ * CONSTANT #squares
: worths, ( -- ) #squares 0 DO I square-worth , LOOP ;
CREATE worths worths,                   \ a table, filled while loading

: worth ( pos -- n )
	DUP empty-at?
	IF DROP 0 ELSE DUP CELLS worths + @ SWAP friend-at? NOT IF NEGATE ENDIF ENDIF
;

\ A player with few moves is soon forced to make bad ones.
: mobility ( -- n )
	move-count next-player FALSE #NoMoveType $GenerateMoves move-count - $DeallocateMoves
;

\ Discs are turned so often that their number matters only in the last ten turns.
: discs ( -- n ) turn-number #squares 10 - > IF current-player material-balance ELSE 0 ENDIF ;

: OnEvaluate ( -- score )
	mobility 12 * discs 20 * +
	#squares 0 DO I worth + LOOP
;
