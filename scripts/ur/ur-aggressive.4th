\ The Royal Game of Ur against an engine that prefers captures, then rosettes.

LOAD ur.4th
LOAD aggressive.4th

{players
	{player} White {search-engine} Aggressive
	{player} Black {search-engine} Aggressive
	{player} ?Dice {random}
players}

\ The turn order refers to the players defined before it, so it is defined again.
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
