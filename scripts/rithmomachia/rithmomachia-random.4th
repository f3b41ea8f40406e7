\ Rithmomachia: random moves on both sides.

\ Only the players differ, but the turn order refers to the players defined before it, so it is defined again.
LOAD rithmomachia.4th

{players
	{player} White {random}
	{player} Black {random}
players}

{turn-order
	{turn} White
	{turn} Black
turn-order}
