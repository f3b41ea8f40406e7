\ The duel of Splut! with the article's engine, counting evaluations.

\ Owns the counter: the engine is loaded again, so that it calls the counting `evaluate`.
LOAD splut/splut-duel.4th

VARIABLE evaluations
: plain-evaluate ( -- score ) evaluate ;
: evaluate ( -- score ) evaluations ++ plain-evaluate ;
: OnEvaluate ( -- score ) plain-evaluate ;       \ other engines use the same evaluation without counting
LOAD splut/custom-engine.4th
15 search-depth !                       \ so that the lower limit of the host applies

{players
	{player} South    {search-engine} Custom-Engine
	{neutral} West
	{player} North    {search-engine} Custom-Engine
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
