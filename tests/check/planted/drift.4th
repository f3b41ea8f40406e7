\ Drift: a stone entered at the edge is pushed inwards by one. Planted: `inwards-right` ignores the step's flag.
{board 4 4 {grid} {variable} drops-made board}
{directions 0 1 {direction} right 1 0 {direction} down directions}
{players {player} One {player} Two players}
{turn-order {turn} One {turn} Two turn-order}

: counted ( -- ) drops-made ++ ;
: edge? ( -- ? ) here 4 < here 4 MOD 0= OR ;

: inwards-right ( -- )
	edge? verify
	empty? verify
	['] right EXECUTE DROP
	create
	COMPILE counted
	add-move
;
: inwards-down ( -- )
	edge? verify  empty? verify
	down verify  empty? verify
	create COMPILE counted add-move
;
{moves entries
	{move} inwards-right
	{move} inwards-down
moves}
{pieces {piece} pebble {drops} entries pieces}
: OnIsGameOver ( -- result )
	drops-made @ 16 >= IF #DrawScore ELSE stalemate? IF #LossScore ELSE #UnknownScore ENDIF ENDIF ;
