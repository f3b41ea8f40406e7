\ Rhythmomachia 2: attacks lower ratings, before and after the move; harmonies win.

\ Rules, settings, state: RHYTHMOMACHIA-2.md.  It is played with the board, the pieces, the set-up and the geometry
\ of the base game; moves, attacks and victories are others.  This file adds to the sections of the base game; then
\   r2-settings.4th  the options of the rules               r2-numbers.4th  ratings, lowered and full
\   r2-harmony.4th   three ratings in progression           r2-turn.4th     what actions do, how turns end
\   r2-attacks.4th   who can lower whose rating             r2-moves.4th    the list of moves
\   r2-worth.4th     what a position is worth               r2-explain.4th  by what arithmetic
LOAD rithmomachia.4th

\ === Board ==============================================================================================

\ {variable} and {array} only count up the size of the board: so more of them can follow, if the board is then
\ made anew, with the link cell before it.
{variable} went-from                    \ where the piece that has moved in this turn came from, plus one, or 0
{variable} went-to                      \ and where it is, plus one
{variable} blows                        \ attacks of this turn that took nothing
{variable} wasted                       \ pieces that White lowered in turns, and did not take in them, less Black's
#grid {array} hit-by                    \ by the victim's position: who has attacked it, see r2-turn.4th
{variable} asked                        \ while an owner is asked: the place of the part that he lost, plus one
{variable} asked-type                   \ and its type
: make-board ( -- ) 0 , HERE $board ! $boardSize @ ALLOT $board @ $boardSize @ ERASE ;
make-board

\ Pieces on these squares of the margin say that somebody has moved in this turn, or that he is asked.
k16 CONSTANT moved-mark
k15 CONSTANT question-mark

\ === Pieces =============================================================================================

\ The table goes on where its section ended, with pieces that have no moves; then there are hash keys for them, too.
: more-pieces ( -- addr ) $pieces @ $pieceCount @ #PieceCells * CELLS + ;
more-pieces
	{piece} Annihilation
	{piece} Harmony
	{piece} has-moved
	{piece} may-swap
	LOAD r2-ratings.4th
DROP $zobrist OFF $GenerateZobristTables
(1) 1- CONSTANT #unrated                \ a rating's type is that many more than the rating

: victory-number ( type -- n ) FIRST-VICTORY - 1+ ;
Annihilation victory-number CONSTANT #annihilation
Harmony victory-number CONSTANT #harmony

\ === Moves, attacks, victories ==========================================================================

\ Ways as in geometry.4th: a circle's, a triangle's, a square's, and none of the fourth kind.
: striding ( -- )
	1 straight-runs mark
	2 diagonal-runs mark
	3 straight-runs 3 diagonal-runs mark
	mark
;
#grid #starts * [] striding-ways[]
' striding 0 striding-ways[] lay-ways

LOAD r2-settings.4th
LOAD r2-numbers.4th
LOAD r2-harmony.4th
LOAD r2-turn.4th
LOAD r2-attacks.4th
LOAD r2-moves.4th
LOAD r2-worth.4th
LOAD r2-explain.4th

\ All pieces share the base game's list of one move word: the cell behind the count names it.
' take-turn ways-of-pieces CELLSIZE + !

\ === The course of a game ===============================================================================

$combinePartial OFF                     \ a turn has too many partial moves to be searched as one

\ Runs before the set-up.  The base game lets its settings choose the ways.
: choose-first ( -- ) OnNewGame ;
: OnNewGame ( -- ) choose-first 0 striding-ways[] ways ! ;

\ The base game counts passes here.
: OnNextTurn ( -- ) pass-on ;

\ A victory may come in the midst of a turn: then the player about to move is the winner.
: won? ( -- ? ) won-by player-at current-player = ;
: patience-ends? ( -- ? ) patience @ DUP IF quiet @ <= ENDIF ;
: OnIsGameOver ( -- result )
	victory @ IF won? IF #WinScore ELSE #LossScore ENDIF ELSE
	stalemate? IF stuck-loses @ IF #LossScore ELSE #DrawScore ENDIF ELSE
	patience-ends? IF #DrawScore ELSE #UnknownScore ENDIF ENDIF ENDIF
;

\ === The engine ====================================================================================

\ The built-in search, two steps deep unless there is a clock to go by: a turn has many steps.
: R2-Engine ( -- )
	$searchTime @ 0= IF $depthLimit @ 2 MIN $depthLimit ! ENDIF
	$NegamaxMove
;

\ What players see besides the board, and do not see on it.
: OnShow ( -- ) ." won-by -has-moved -may-swap" ;

{players
	{player} White {search-engine} R2-Engine
	{player} Black {search-engine} R2-Engine
players}

{turn-order
	{turn} White
	{turn} Black
turn-order}
