\ Reversi: flank discs and they turn; who has more at the end wins.

\ This file has the board and the set-up.  The rules are in rules.4th, for boards of any even size.
$flipGrid ON                            \ row 1 is at the top, as Reversi players write squares
{board
	8 8 {grid}
board}

LOAD rules.4th

{board-setup
	{setup} White disc d4 {setup} Black disc e4
	{setup} Black disc d5 {setup} White disc e5
board-setup}
