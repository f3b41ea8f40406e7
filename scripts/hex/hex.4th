\ Hex: join two opposite edges of a board of eleven by eleven hexagons.

$flipGrid ON                            \ row 1 is at the top, as players of Hex write cells
{board
	11 11 {grid}
board}

LOAD rules.4th
LOAD evaluation.4th
