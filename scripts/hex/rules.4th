\ The rules of Hex.  The file that loads this one has defined the board.

\ The rows of the board are shifted to the right, each half a cell further than the one above it.  So a cell has neighbours
\ on both sides, above and to the upper right, below and to the lower left.
{directions
	-1  0 {direction} nw   -1  1 {direction} ne
	 0 -1 {direction} w     0  1 {direction} e
	 1 -1 {direction} sw    1  0 {direction} se
directions}

{players
	{player} Red {player} Blue
players}
{turn-order
	{turn} Red {turn} Blue
turn-order}

{scratch                                \ what groups.4th notes is noted again before each use
LOAD groups.4th                         \ note-groups, group-at
scratch}

\ --- moves -----------------------------------------------------------------------------------------

VARIABLE swap-allowed?
: swap=on ( -- ) swap-allowed? ON ;     \ Blue may take over Red's first stone (default)
: swap=off ( -- ) swap-allowed? OFF ;   \ all stones stay where they are
swap=on

: put ( -- ) empty? verify create add-move ;

\ Blue takes over the stone: it is mirrored on the line from a1 to the opposite corner, because Blue joins the other edges.
: mirrored ( pos -- pos' ) $columns @ /MOD SWAP $columns @ * + ;
: swap ( -- )
	swap-allowed? @ verify turn-number 2 = verify enemy? verify
	capture here mirrored create-at
	add-move
;

{moves stone-drops
	{move} put {move} swap
moves}
{pieces
	{piece} stone {drops} stone-drops
pieces}

\ --- the end ---------------------------------------------------------------------------------------

$columns @ CONSTANT #side
#side #side * CONSTANT #cells

\ Red joins the upper and the lower edge: cells 0 to #side - 1 and those after #cells - #side.
\ Blue joins the left and the right edge.
: on-first-edge ( i player -- pos ) Red = IF ELSE #side * ENDIF ;
: on-last-edge ( i player -- pos ) Red = IF #cells #side - + ELSE #side * #side 1- + ENDIF ;

{scratch
#points 1+ [] at-first-edge[]           \ by group: is it at the first edge of the player examined last?
scratch}
: note-first-edge ( player -- )
	0 at-first-edge[] #points 1+ CELLS ERASE
	#side 0 DO
		I OVER on-first-edge 2DUP SWAP friend-of? IF group-at at-first-edge[] ON ELSE DROP ENDIF
	LOOP
	DROP
;
: joined? ( player -- ? )
	note-groups DUP note-first-edge
	FALSE
	#side 0 DO
		I 2 PICK on-last-edge
		DUP 3 PICK friend-of? IF group-at at-first-edge[] @ OR ELSE DROP ENDIF
	LOOP
	SWAP DROP
;

\ A full board joins the edges of exactly one player, so there are no draws, and a player always has a move.
\ The words after ^" say why the game has ended.
: OnIsGameOver ( -- result )
	next-player joined? IF ^" both edges are joined" #LossScore ELSE #UnknownScore ENDIF
;

\ Each move word depends only on the board and the turn.  OnIsGameOver and OnEvaluate do not look at the list,
\ and leave the board as it is.  The host reads these constants; the original ignores them.
TRUE CONSTANT independent-moves
TRUE CONSTANT hooks-keep-moves
TRUE CONSTANT hooks-ignore-moves
