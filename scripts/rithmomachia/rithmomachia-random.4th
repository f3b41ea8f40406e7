\ Rithmomachia: random moves on both sides.

\ Only the players differ, but the turn order holds on to the players that it was made with, so it is set again.
LOAD rithmomachia.4th

{players
	{player} White {random}
	{player} Black {random}
players}

{turn-order
	{turn} White
	{turn} Black
turn-order}
