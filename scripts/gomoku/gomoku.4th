\ Gomoku: five stones or more in a line win, on a board of fifteen by fifteen.

{board
	15 15 {grid}
board}
15 CONSTANT longest-win                 \ as long as a line can be
LOAD rules.4th
