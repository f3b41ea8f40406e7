\ The board: 41 squares, memory positions behind them, and words that find pieces.

\ The arena is a diamond of 41 squares inside a grid of 9 by 9.  The positions after the grid are not squares:
\ pieces on them are the game's memory.  The memory is thus part of the position: it is copied, hashed and
\ undone with the position, and a search needs no special code for it.
{board
	9 9 {grid}
	{position} shed                 \ the broom of the random player ?Cleaner; it counts turns: see memory.4th
	{dummy-positions}               \ move generation does not visit the positions below
	{position} sstone-by            \ the last mover of sstone, as a lock of that player: see memory.4th
	{position} wstone-by
	{position} nstone-by
	{position} estone-by
	{position} spell                \ the stone that the player to move levitates, or a lock afterwards
	{position} thrown               \ a lock of the player whose turn was ended by a throw
board}

81 CONSTANT #grid
41 CONSTANT #arena

\ Links that lead out of the diamond are removed, so that the words below need no test for the edge.
{directions
	-1  0 {direction} north
	 1  0 {direction} south
	 0  1 {direction} east
	 0 -1 {direction} west
	{unlink} north a5 {unlink} north b6 {unlink} north c7 {unlink} north d8
	{unlink} north f8 {unlink} north g7 {unlink} north h6 {unlink} north i5
	{unlink} south a5 {unlink} south b4 {unlink} south c3 {unlink} south d2
	{unlink} south f2 {unlink} south g3 {unlink} south h4 {unlink} south i5
	{unlink} east  e9 {unlink} east  f8 {unlink} east  g7 {unlink} east  h6
	{unlink} east  h4 {unlink} east  g3 {unlink} east  f2 {unlink} east  e1
	{unlink} west  e9 {unlink} west  d8 {unlink} west  c7 {unlink} west  b6
	{unlink} west  b4 {unlink} west  c3 {unlink} west  d2 {unlink} west  e1
directions}

: row-of ( pos -- n ) 9 / ;
: column-of ( pos -- n ) 9 MOD ;
: steps-between ( pos pos' -- n )       \ number of steps between two squares
	2DUP row-of SWAP row-of - ABS >R
	column-of SWAP column-of - ABS R> +
;

\ A table of the squares of the arena, filled while the script loads.
#arena [] arena[]
: fill-arena ( -- )
	0
	#grid 0 DO
		I e5 steps-between 4 > NOT IF I OVER arena[] ! 1+ ENDIF
	LOOP
	DROP
;
fill-arena

\ --- Finding pieces ---------------------------------------------------------------------------------

\ pieces.4th defines the pieces with their moves; until then DEFER provides their names.
DEFER SSTONE
DEFER ESTONE
DEFER WIZARD
DEFER DWARF
DEFER TROLL
DEFER BROOM
DEFER LOCK

: stone-type? ( type -- ? ) DUP SSTONE >= SWAP ESTONE <= AND ;
: stone? ( -- ? ) piece-type stone-type? ;
: wizard? ( -- ? ) piece-type WIZARD = ;
: owner-at ( pos -- player ) piece-at #Player AND ;

\ The squares of the four stones, -1 for a stone that is not on the board.  They are computed from the board whenever
\ they are needed, so they are not stored on it.
4 [] stone-pos[]
: stone-pos-of ( type -- addr ) SSTONE - stone-pos[] ;
: find-stones ( -- )
	4 0 DO -1 I stone-pos[] ! LOOP
	#arena 0 DO
		I arena[] @ DUP piece-type-at
		DUP IF DUP stone-type? IF stone-pos-of ! ELSE 2DROP ENDIF ELSE 2DROP ENDIF
	LOOP
;

\ The teams are the first four players, in the order of their turns.  A set of teams is a number with a bit for
\ each of them: South 1, West 2, North 4, East 8.  The two players after the teams have no bit.
6 [] team-bits[]
1 0 team-bits[] !  2 1 team-bits[] !  4 2 team-bits[] !  8 3 team-bits[] !
: team-bit ( player -- set ) player-index team-bits[] @ ;

\ The teams that have a wizard on the board, computed like the positions of the stones.
VARIABLE alive
: find-teams ( -- )
	alive OFF
	#arena 0 DO
		I arena[] @ DUP piece-type-at WIZARD =
		IF owner-at team-bit alive @ OR alive ! ELSE DROP ENDIF
	LOOP
;
: alive? ( player -- ? ) team-bit alive @ AND 0<> ;
: decided? ( -- ? ) alive @ DUP 0<> SWAP DUP 1- AND 0= AND ;    \ one bit: one team remains
