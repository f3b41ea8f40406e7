\ Reversi 6x6: on a small board; with best play White wins by four discs.

$flipGrid ON                            \ row 1 is at the top, as Reversi players write squares
{board
	6 6 {grid}
board}

LOAD rules.4th

{board-setup
	{setup} White disc c3 {setup} Black disc d3
	{setup} Black disc c4 {setup} White disc d4
board-setup}
