\ Splut! at random: the duel, both sides by random moves.

\ The measure for the engine of splut-duel.4th.  Only the players differ, but the turn order holds on to
\ the players that it was made with, so it is set again, too; the set-up is kept by name and needs nothing.
LOAD splut-duel.4th

{players
	{player} South    {random}
	{neutral} West
	{player} North    {random}
	{neutral} East
	{player} ?Cleaner {random}
	{neutral} Nobody
players}

{turn-order
	{turn} South
	{turn} North {turn} North
	{repeat}
	{turn} ?Cleaner
	{turn} South {turn} South {turn} South
	{turn} North {turn} North {turn} North
turn-order}
