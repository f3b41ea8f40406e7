\ Go on a board of 9 by 9.

{board
	9 9 {grid}
	{variable} passes               \ number of passes in a row
board}
LOAD rules.4th
LOAD evaluation.4th
