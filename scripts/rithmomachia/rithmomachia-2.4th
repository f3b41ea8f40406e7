\ Rhythmomachia 2: attacks lower ratings, before and after the move; harmonies win.

\ Rules, settings, state: RHYTHMOMACHIA-2.md.  It uses the board, the pieces, the set-up and the geometry of
\ the base game; moves, attacks and victories differ.  This file adds to the sections of the base game; then
\   r2-settings.4th  the options of the rules               r2-numbers.4th  ratings, lowered and full
\   r2-harmony.4th   three ratings in progression           r2-turn.4th     effects of actions, ends of turns
\   r2-attacks.4th   attacks that lower ratings             r2-moves.4th    the list of moves
\   r2-worth.4th     evaluation                             r2-explain.4th  the arithmetic of attacks
LOAD rithmomachia.4th

\ === Board ==============================================================================================

\ {variable} and {array} only increase the size of the board.  After they are used outside {board … board}, the board
\ must be allocated again, with the link cell before it.
{variable} went-from                    \ start of this turn's move plus one, or 0
{variable} went-to                      \ goal of this turn's move plus one, or 0
{variable} blows                        \ number of attacks of this turn that did not capture
{variable} wasted                       \ pieces that White lowered but did not take in the same turn, less Black's
#grid {array} hit-by                    \ by the victim's position: the bits of its attackers, see r2-turn.4th
{variable} asked                        \ during a swap decision: position of the lost part plus one, else 0
{variable} asked-type                   \ piece type of that part
: make-board ( -- ) 0 , HERE $board ! $boardSize @ ALLOT $board @ $boardSize @ ERASE ;
make-board

\ A piece on one of these squares of the margin shows that its owner has moved in this turn, or may swap.
k16 CONSTANT moved-mark
k15 CONSTANT swap-mark

\ === Pieces =============================================================================================

\ The table of pieces is extended beyond its section by pieces without moves; then hash keys are made for them.
: more-pieces ( -- addr ) $pieces @ $pieceCount @ #PieceCells * CELLS + ;
more-pieces
	{piece} Annihilation
	{piece} Harmony
	{piece} has-moved
	{piece} may-swap
	LOAD r2-ratings.4th
DROP $zobrist OFF $GenerateZobristTables
(1) 1- CONSTANT #unrated                \ the type of a rating is the rating plus this number

: victory-number ( type -- n ) FIRST-VICTORY - 1+ ;
Annihilation victory-number CONSTANT #annihilation
Harmony victory-number CONSTANT #harmony

\ === Moves, attacks, victories ==========================================================================

\ Ways (see geometry.4th) of circles, of triangles and of squares.  The fourth kind, for complete pyramids, is empty.
: striding ( -- )
	1 straight-runs end-kind
	2 diagonal-runs end-kind
	3 straight-runs 3 diagonal-runs end-kind
	end-kind
;
#grid #starts * [] striding-ways[]
' striding 0 striding-ways[] store-ways

LOAD r2-settings.4th
LOAD r2-numbers.4th
LOAD r2-harmony.4th
LOAD r2-turn.4th
LOAD r2-attacks.4th
LOAD r2-moves.4th
LOAD r2-worth.4th
LOAD r2-explain.4th

\ All pieces share the base game's list of one move word; the word's token follows the count of the list.
' take-turn ways-of-pieces CELLSIZE + !

\ === The course of a game ===============================================================================

$combinePartial OFF                     \ a turn has too many partial moves to be searched as one

\ Runs before the set-up.  The base game's OnNewGame chooses the first player; this one also replaces the ways that the
\ base game's settings chose.
: choose-first ( -- ) OnNewGame ;
: OnNewGame ( -- ) choose-first 0 striding-ways[] ways ! ;

\ The base game counts passes in this word; this game does not.
: OnNextTurn ( -- ) pass-on ;

\ A victory may occur within a turn: then the winner is still the player to move.
: won? ( -- ? ) won-by player-at current-player = ;
: OnIsGameOver ( -- result )
	victory @ IF victory-text won? IF #WinScore ELSE #LossScore ENDIF ELSE
	stalemate? IF ^" no legal move" stuck-loses @ IF #LossScore ELSE #DrawScore ENDIF ELSE
	too-quiet? IF ^" too many moves without a capture" #DrawScore ELSE #UnknownScore ENDIF ENDIF ENDIF
;

\ === The engine ====================================================================================

\ The built-in search, two plies deep if there is no time limit: a turn has many plies.
: R2-Engine ( -- )
	$searchTime @ 0= IF $depthLimit @ 2 MIN $depthLimit ! ENDIF
	$NegamaxMove
;

\ Displays show `won-by` besides the board, and hide the pieces named with a minus sign.
: OnShow ( -- ) ." won-by -has-moved -may-swap" ;

{players
	{player} White {search-engine} R2-Engine
	{player} Black {search-engine} R2-Engine
players}

{turn-order
	{turn} White
	{turn} Black
turn-order}
