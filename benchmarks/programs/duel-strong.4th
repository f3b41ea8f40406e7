\ The duel of Splut!: the stronger engine of the game against the article's engine.

\ Owns the assignment of engines to players; the engines are part of the game.
LOAD splut/splut-duel.4th

VARIABLE strong-north
: strong=south ( -- ) strong-north OFF ;        \ the stronger engine plays South (default)
: strong=north ( -- ) strong-north ON ;         \ the stronger engine plays North
: South-Engine ( -- ) strong-north @ IF Custom-Engine ELSE Strong-Engine ENDIF ;
: North-Engine ( -- ) strong-north @ IF Strong-Engine ELSE Custom-Engine ENDIF ;

{players
	{player} South    {search-engine} South-Engine
	{neutral} West
	{player} North    {search-engine} North-Engine
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
