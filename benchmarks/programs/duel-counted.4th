\ The duel of Splut! with the article's engine, counting evaluations.

\ Owns nothing but the counter: the engine is loaded once more, so that its calls of `evaluate` find the counting one.
LOAD splut/splut-duel.4th

VARIABLE evaluations
: plain-evaluate ( -- score ) evaluate ;
: evaluate ( -- score ) evaluations ++ plain-evaluate ;
: OnEvaluate ( -- score ) plain-evaluate ;       \ our own searches are to see no more than it does
LOAD splut/custom-engine.4th
15 search-depth !                       \ the host's limit counts

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
