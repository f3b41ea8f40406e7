\ Go on a board of 13 by 13.

{board
	13 13 {grid}
	{variable} passes               \ number of passes in a row
board}
LOAD rules.4th
LOAD evaluation.4th
