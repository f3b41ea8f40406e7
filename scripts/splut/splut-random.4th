\ Splut! at random: the duel, both sides by random moves.

\ An opponent to measure the engine of splut-duel.4th.  Only the players differ, but the turn order refers to the
\ players defined before it, so it is defined again.  The set-up stores names and needs no change.
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
