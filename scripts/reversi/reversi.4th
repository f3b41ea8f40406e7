\ Reversi: flank discs and they turn; who has more at the end wins.

\ The set-up is here, all the rest in rules.4th, which serves boards of any even size: see reversi-6x6.4th.
$flipGrid ON                            \ row 1 is at the top, as Reversi players write squares
{board
	8 8 {grid}
board}

LOAD rules.4th

{board-setup
	{setup} White disc d4 {setup} Black disc e4
	{setup} Black disc d5 {setup} White disc e5
board-setup}
