\ Mosaic: 256 squares, twenty kinds of tile, and each kind has its own list of drops.

\ Stands for games in which pieces come from a large supply: at every square the engine runs twenty drop words, of
\ which almost all end at the first `verify`.  A tile may be laid on an empty square beside a tile of the same kind or
\ of the kind before it.  Who lays tiles of more value wins; there are forty turns.

{board
	16 16 {grid}
board}

{directions
	-1  0 {direction} n
	 0  1 {direction} e
	 1  0 {direction} s
	 0 -1 {direction} w
directions}

{players
	{player} North
	{player} South
players}

{turn-order
	{turn} North
	{turn} South
turn-order}

VARIABLE kind
VARIABLE found

: look ( 'dir -- )                      \ is there a tile that kind may touch?
	EXECUTE IF
		not-empty? IF
			piece-type kind @ = IF found ON ENDIF
			piece-type kind @ 1- = IF found ON ENDIF
		ENDIF
		from to
	ENDIF
;
: beside? ( -- ? )
	found OFF
	['] n look ['] e look ['] s look ['] w look
	found @
;
: lay ( kind -- )
	kind !
	empty? verify
	beside? verify
	drop
	add-move
;

: lay-1  ( -- )  1 lay ;	{moves drops-1  {move} lay-1  moves}
: lay-2  ( -- )  2 lay ;	{moves drops-2  {move} lay-2  moves}
: lay-3  ( -- )  3 lay ;	{moves drops-3  {move} lay-3  moves}
: lay-4  ( -- )  4 lay ;	{moves drops-4  {move} lay-4  moves}
: lay-5  ( -- )  5 lay ;	{moves drops-5  {move} lay-5  moves}
: lay-6  ( -- )  6 lay ;	{moves drops-6  {move} lay-6  moves}
: lay-7  ( -- )  7 lay ;	{moves drops-7  {move} lay-7  moves}
: lay-8  ( -- )  8 lay ;	{moves drops-8  {move} lay-8  moves}
: lay-9  ( -- )  9 lay ;	{moves drops-9  {move} lay-9  moves}
: lay-10 ( -- ) 10 lay ;	{moves drops-10 {move} lay-10 moves}
: lay-11 ( -- ) 11 lay ;	{moves drops-11 {move} lay-11 moves}
: lay-12 ( -- ) 12 lay ;	{moves drops-12 {move} lay-12 moves}
: lay-13 ( -- ) 13 lay ;	{moves drops-13 {move} lay-13 moves}
: lay-14 ( -- ) 14 lay ;	{moves drops-14 {move} lay-14 moves}
: lay-15 ( -- ) 15 lay ;	{moves drops-15 {move} lay-15 moves}
: lay-16 ( -- ) 16 lay ;	{moves drops-16 {move} lay-16 moves}
: lay-17 ( -- ) 17 lay ;	{moves drops-17 {move} lay-17 moves}
: lay-18 ( -- ) 18 lay ;	{moves drops-18 {move} lay-18 moves}
: lay-19 ( -- ) 19 lay ;	{moves drops-19 {move} lay-19 moves}
: lay-20 ( -- ) 20 lay ;	{moves drops-20 {move} lay-20 moves}

{pieces
	{piece} amber  {drops} drops-1   1 {value}
	{piece} beryl  {drops} drops-2   2 {value}
	{piece} coral  {drops} drops-3   3 {value}
	{piece} dolom  {drops} drops-4   4 {value}
	{piece} ebony  {drops} drops-5   5 {value}
	{piece} flint  {drops} drops-6   1 {value}
	{piece} glass  {drops} drops-7   2 {value}
	{piece} horn   {drops} drops-8   3 {value}
	{piece} iron   {drops} drops-9   4 {value}
	{piece} jade   {drops} drops-10  5 {value}
	{piece} kaolin {drops} drops-11  1 {value}
	{piece} lime   {drops} drops-12  2 {value}
	{piece} marble {drops} drops-13  3 {value}
	{piece} nacre  {drops} drops-14  4 {value}
	{piece} onyx   {drops} drops-15  5 {value}
	{piece} pearl  {drops} drops-16  1 {value}
	{piece} quartz {drops} drops-17  2 {value}
	{piece} ruby   {drops} drops-18  3 {value}
	{piece} slate  {drops} drops-19  4 {value}
	{piece} topaz  {drops} drops-20  5 {value}
pieces}

{board-setup
	{setup} North amber h9 {setup} South flint i9
	{setup} South kaolin h8 {setup} North pearl i8
board-setup}

: OnIsGameOver ( -- result )
	#UnknownScore
	turn-number 40 > stalemate? OR IF
		DROP
		current-player material-balance
		DUP 0= IF
			DROP #DrawScore
		ELSE
			0> IF #WinScore ELSE #LossScore ENDIF
		ENDIF
	ENDIF
;

: OnEvaluate ( -- score ) current-player material-balance ;
