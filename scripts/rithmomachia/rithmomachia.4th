\ Rithmomachia: numbered pieces take each other by arithmetic.

\ Rules and settings: README.md.  The game is divided:
\   geometry.4th   squares in line, the ways of pieces          settings.4th   the options of the rules
\   captures.4th   siege, equality, ambush, eruption            moves.4th      moves and their captures
\   victories.4th  counting, common and glorious victories      evaluation.4th the score of a position
\   explain.4th    remarks about attacked pieces
\ This file contains the sections of the game, and loads each part after the words that the part needs.

\ === Board ==============================================================================================

\ Pieces use the columns c to j.  The parts of pyramids are stored in the margins.
{board
	16 12 {grid}
	{dummy-positions}               \ move generation does not visit the positions below
	{position} nothing              \ always empty
	{position} won-by               \ after a victory: a piece that shows the winner and the victory
	{variable} victory              \ the number of the victory, 0 before it: see victories.4th
	{variable} quiet                \ moves since the last capture
	{variable} idle                 \ passes in a row
	2 {array} pieces-taken          \ by White and by Black
	2 {array} value-taken           \ the sum of the values of these pieces
	2 {array} digits-taken          \ the number of digits of these values
board}

{directions
	-1  0 {direction} n
	 0  1 {direction} e
	 1  0 {direction} s
	 0 -1 {direction} w
	-1  1 {direction} ne
	 1  1 {direction} se
	 1 -1 {direction} sw
	-1 -1 {direction} nw
directions}

{players
	{player} White
	{player} Black
players}

{turn-order
	{turn} White
	{turn} Black
turn-order}

LOAD geometry.4th
LOAD settings.4th

\ === Captures and moves =================================================================================

LOAD captures.4th
LOAD victories.4th
LOAD moves.4th
LOAD evaluation.4th
LOAD explain.4th

\ === Pieces =============================================================================================

{moves ways-of-pieces
	{move} go-on-board
moves}

\ The letter of a name is the class; `read-pieces` in captures.4th copies classes and values to tables.
{pieces
	{piece} R2   {moves} ways-of-pieces   2 {value}
	{piece} R4   {moves} ways-of-pieces   4 {value}
	{piece} R6   {moves} ways-of-pieces   6 {value}
	{piece} R8   {moves} ways-of-pieces   8 {value}
	{piece} R16  {moves} ways-of-pieces  16 {value}
	{piece} R36  {moves} ways-of-pieces  36 {value}
	{piece} R64  {moves} ways-of-pieces  64 {value}
	{piece} T6   {moves} ways-of-pieces   6 {value}
	{piece} T9   {moves} ways-of-pieces   9 {value}
	{piece} T20  {moves} ways-of-pieces  20 {value}
	{piece} T25  {moves} ways-of-pieces  25 {value}
	{piece} T42  {moves} ways-of-pieces  42 {value}
	{piece} T49  {moves} ways-of-pieces  49 {value}
	{piece} T72  {moves} ways-of-pieces  72 {value}
	{piece} T81  {moves} ways-of-pieces  81 {value}
	{piece} S15  {moves} ways-of-pieces  15 {value}
	{piece} S25  {moves} ways-of-pieces  25 {value}
	{piece} S45  {moves} ways-of-pieces  45 {value}
	{piece} S81  {moves} ways-of-pieces  81 {value}
	{piece} S153 {moves} ways-of-pieces 153 {value}
	{piece} S169 {moves} ways-of-pieces 169 {value}
	{piece} S289 {moves} ways-of-pieces 289 {value}
	{piece} P91  {moves} ways-of-pieces  91 {value}

	{piece} R3   {moves} ways-of-pieces   3 {value}
	{piece} R5   {moves} ways-of-pieces   5 {value}
	{piece} R7   {moves} ways-of-pieces   7 {value}
	{piece} R9   {moves} ways-of-pieces   9 {value}
	{piece} R25  {moves} ways-of-pieces  25 {value}
	{piece} R49  {moves} ways-of-pieces  49 {value}
	{piece} R81  {moves} ways-of-pieces  81 {value}
	{piece} T12  {moves} ways-of-pieces  12 {value}
	{piece} T16  {moves} ways-of-pieces  16 {value}
	{piece} T30  {moves} ways-of-pieces  30 {value}
	{piece} T36  {moves} ways-of-pieces  36 {value}
	{piece} T56  {moves} ways-of-pieces  56 {value}
	{piece} T64  {moves} ways-of-pieces  64 {value}
	{piece} T90  {moves} ways-of-pieces  90 {value}
	{piece} T100 {moves} ways-of-pieces 100 {value}
	{piece} S28  {moves} ways-of-pieces  28 {value}
	{piece} S49  {moves} ways-of-pieces  49 {value}
	{piece} S66  {moves} ways-of-pieces  66 {value}
	{piece} S120 {moves} ways-of-pieces 120 {value}
	{piece} S121 {moves} ways-of-pieces 121 {value}
	{piece} S225 {moves} ways-of-pieces 225 {value}
	{piece} S361 {moves} ways-of-pieces 361 {value}
	{piece} P190 {moves} ways-of-pieces 190 {value}

	\ parts of pyramids that do not exist as single pieces
	{piece} R1   {moves} ways-of-pieces   1 {value}
	{piece} S36  {moves} ways-of-pieces  36 {value}
	{piece} S64  {moves} ways-of-pieces  64 {value}

	\ a value that no piece has, for puzzles: with T72 it makes 190, the total of Black's pyramid
	{piece} S118 {moves} ways-of-pieces 118 {value}

	{dummy-pieces}                  \ the types below have no moves: victories, shown on won-by
	{piece} De-Corpore
	{piece} De-Bonis
	{piece} De-Lite
	{piece} De-Honore
	{piece} De-Honore-Liteque
	{piece} Victoria-Magna
	{piece} Victoria-Major
	{piece} Victoria-Excellentissima
	{piece} Pyramid-Taken
pieces}
' De-Corpore IS FIRST-VICTORY
read-pieces

\ === Set-up =============================================================================================

{board-setup
	{setup} White R2 e6  {setup} White R4 f6  {setup} White R6 g6  {setup} White R8 h6
	{setup} White T9 c5  {setup} White T6 d5  {setup} White R4 e5  {setup} White R16 f5
	{setup} White R36 g5  {setup} White R64 h5  {setup} White T72 i5  {setup} White T81 j5
	{setup} White S15 c4  {setup} White S45 d4  {setup} White T25 e4  {setup} White T20 f4
	{setup} White T42 g4  {setup} White T49 h4  {setup} White P91 i4  {setup} White S153 j4
	{setup} White S25 c3  {setup} White S81 d3  {setup} White S169 i3  {setup} White S289 j3
	{setup} White S36 l1  {setup} White S25 l2  {setup} White T16 l3
	{setup} White T9 l4  {setup} White R4 l5  {setup} White R1 l6

	{setup} Black S361 c14  {setup} Black S225 d14  {setup} Black S121 i14  {setup} Black S49 j14
	{setup} Black P190 c13  {setup} Black S120 d13  {setup} Black T64 e13  {setup} Black T56 f13
	{setup} Black T30 g13  {setup} Black T36 h13  {setup} Black S66 i13  {setup} Black S28 j13
	{setup} Black T100 c12  {setup} Black T90 d12  {setup} Black R81 e12  {setup} Black R49 f12
	{setup} Black R25 g12  {setup} Black R9 h12  {setup} Black T12 i12  {setup} Black T16 j12
	{setup} Black R9 e11  {setup} Black R7 f11  {setup} Black R5 g11  {setup} Black R3 h11
	{setup} Black S64 a16  {setup} Black S49 a15  {setup} Black T36 a14
	{setup} Black T25 a13  {setup} Black R16 a12
board-setup}

\ === The course of a game ===============================================================================

\ Runs before the set-up, at the first turn of the turn order.
: OnNewGame ( -- ) first-player @ IF turn-offset next-turn-offset $SetTurn ENDIF ;

\ The library's OnNextTurn ends the turn.  A move has set `idle` to -1, a pass has not.
: pass-on ( -- ) OnNextTurn ;
: OnNextTurn ( -- ) idle ++ surveyed OFF pass-on ;

\ Called for the player to move: a victory is the opponent's.
: too-quiet? ( -- ? ) quiet-limit @ DUP IF quiet @ <= ENDIF ;
: drawn? ( -- ? )
	idle @ 1 > IF ^" both players have passed" TRUE ELSE
	too-quiet? DUP IF ^" too many moves without a capture" ENDIF ENDIF
;
: OnIsGameOver ( -- result )
	victory @ IF victory-text #LossScore ELSE
	stalemate? IF ^" no legal move" stuck-loses @ IF #LossScore ELSE #DrawScore ENDIF ELSE
	drawn? IF #DrawScore ELSE #UnknownScore ENDIF ENDIF ENDIF
;
