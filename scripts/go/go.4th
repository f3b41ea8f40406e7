\ Go: surround more of the board than the enemy, on a board of 19 by 19.

{board
	19 19 {grid}
	{variable} passes               \ number of passes in a row
board}
LOAD rules.4th
LOAD evaluation.4th
