\ The Royal Game of Ur against an engine that takes what it can, then goes for rosettes.

LOAD ur.4th
LOAD aggressive.4th

{players
	{player} White {search-engine} Aggressive
	{player} Black {search-engine} Aggressive
	{player} ?Dice {random}
players}

\ The turn order holds on to the players that it was made with, so it is set again.
{turn-order
	{turn} White
	{turn} ?Dice {of-type} clearing
	{turn} ?Dice {of-type} casting
	{turn} ?Dice {of-type} casting
	{turn} ?Dice {of-type} casting
	{turn} Black
	{turn} ?Dice {of-type} clearing
	{turn} ?Dice {of-type} casting
	{turn} ?Dice {of-type} casting
	{turn} ?Dice {of-type} casting
turn-order}
