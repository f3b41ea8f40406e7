\ The board: 41 squares, and behind them positions that remember.  What stands where.

\ The arena is a diamond of 41 squares inside a grid of 9 by 9.  The positions after the grid are no squares:
\ pieces on them are the game's memory.  So the memory is part of the position, is copied, hashed and
\ taken back with it, and a search needs to know nothing about it.
{board
	9 9 {grid}
	{position} shed                 \ the cleaner keeps a broom here; it counts turns, too: see turns.4th
	{dummy-positions}               \ what follows is never visited by move generation
	{position} sstone-by            \ a lock of the player who moved this stone last: see memory.4th
	{position} wstone-by
	{position} nstone-by
	{position} estone-by
	{position} spell                \ a player's mark: the stone he is levitating, or a lock if he has ended it
	{position} thrown               \ a lock of the player whose turn was ended by a throw
board}

81 CONSTANT #grid
41 CONSTANT #arena

\ A link that leads out of the diamond is cut, so that no word below has to look where the board ends.
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
: apart ( pos pos' -- n )               \ steps from one to the other
	2DUP row-of SWAP row-of - ABS >R
	column-of SWAP column-of - ABS R> +
;

\ The squares of the arena in a table, filled once, while the script loads.
#arena [] arena[]
: lay-out ( -- )
	0
	#grid 0 DO
		I e5 apart 4 > NOT IF I OVER arena[] ! 1+ ENDIF
	LOOP
	DROP
;
lay-out

\ --- What is where ----------------------------------------------------------------------------------

\ Pieces are defined in pieces.4th, with their moves; until then DEFER stands for their numbers.
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

\ Where the four stones are, or -1.  Worked out anew from the board whenever it is wanted, so it is no part
\ of the position and may lie outside of it.
4 [] stone-pos[]
: place ( type -- addr ) SSTONE - stone-pos[] ;
: find-stones ( -- )
	4 0 DO -1 I stone-pos[] ! LOOP
	#arena 0 DO
		I arena[] @ DUP piece-type-at
		DUP stone-type? IF place ! ELSE 2DROP ENDIF
	LOOP
;

\ The teams are the first four players, in the order of their turns.  A set of teams is a number with a bit for
\ each of them: South 1, West 2, North 4, East 8.  (Whoever comes after the teams has no bit.)
6 [] team-bits[]
1 0 team-bits[] !  2 1 team-bits[] !  4 2 team-bits[] !  8 3 team-bits[] !
: team-bit ( player -- set ) player-index team-bits[] @ ;

\ The teams that have a wizard on the board, found like the stones.
VARIABLE alive
: find-teams ( -- )
	alive OFF
	#arena 0 DO
		I arena[] @ DUP piece-type-at WIZARD =
		IF owner-at team-bit alive @ OR alive ! ELSE DROP ENDIF
	LOOP
;
: alive? ( player -- ? ) team-bit alive @ AND 0<> ;
: decided? ( -- ? ) alive @ DUP 0<> SWAP DUP 1- AND 0= AND ;    \ one bit: one team is left
