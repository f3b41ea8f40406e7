\ The rules of Reversi.  The file that loads this one has made the board.

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

\ The tokens of all directions, so that a loop can go through them.
8 CONSTANT #ways
CREATE ways ' nw , ' n , ' ne , ' w , ' e , ' sw , ' s , ' se ,
: way ( i -- 'dir ) CELLS ways + @ ;

\ A direction word leaves FALSE at the edge and stays where it is.  So after the loop `here` is the first
\ square that holds no enemy disc or, at the edge, the last enemy disc: no friend.
: past-enemies ( 'dir -- ) BEGIN DUP EXECUTE enemy? AND NOT UNTIL DROP ;

\ Do enemy discs lie that way, with one of mine behind?  If so, that one is `here` then.
: flanked? ( 'dir -- ? )
	back DUP EXECUTE enemy? AND
	IF past-enemies friend? ELSE DROP FALSE ENDIF
;

: flip ( 'dir -- )                      \ from the new disc up to the one at `here`
	here back SWAP                          ( last 'dir )
	BEGIN DUP EXECUTE DROP OVER here <> WHILE current-player change-owner REPEAT
	2DROP
;

\ Nothing changes while a move is put together: the squares in between still show the enemy.  Where nothing
\ was flanked, `verify` gives up the move with the disc that was already in it.
: put ( -- )
	empty? verify
	create
	FALSE
	#ways 0 DO
		I way flanked? IF DROP TRUE I way flip ENDIF
	LOOP
	verify add-move
;

{moves disc-drops
	{move} put {move-type} putting
moves}
{pieces
	{piece} disc {drops} disc-drops
pieces}

\ Who can put nothing passes: then the list has that one move, which is of no type.
$passTurnForced ON

: must-pass? ( -- ? ) $FirstMove .moveType @ putting <> ;

: neither-can-put? ( -- ? )
	must-pass?
	IF next-player FALSE #NoMoveType $GenerateMoves must-pass? $DeallocateMoves ELSE FALSE ENDIF
;

: verdict ( -- result )
	current-player material-balance
	DUP 0> IF DROP #WinScore ELSE 0< IF #LossScore ELSE #DrawScore ENDIF ENDIF
;

: OnIsGameOver ( -- result )
	neither-can-put? IF verdict ELSE #UnknownScore ENDIF
;

\ --- evaluation ------------------------------------------------------------------------------------

\ Corners never turn, and the squares next to them give them away.
: to-edge ( i n -- d ) 1- OVER - MIN ;
: square-worth ( pos -- n )             \ by its distances from the nearest edges
	$columns @ /MOD $rows @ to-edge SWAP $columns @ to-edge
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

\ Who has few moves is soon forced to make bad ones.
: mobility ( -- n )
	move-count next-player FALSE #NoMoveType $GenerateMoves move-count - $DeallocateMoves
;

\ Discs turn too often to count before the last moves.
: discs ( -- n ) turn-number #squares 10 - > IF current-player material-balance ELSE 0 ENDIF ;

: OnEvaluate ( -- score )
	mobility 12 * discs 20 * +
	#squares 0 DO I worth + LOOP
;
