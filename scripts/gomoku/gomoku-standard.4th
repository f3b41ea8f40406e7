\ Gomoku, standard: exactly five stones in a line win, more do not.

{board
	15 15 {grid}
board}
5 CONSTANT longest-win
LOAD rules.4th
