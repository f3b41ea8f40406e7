\ Splut! duel: South against North, with all four stones on the board.

\ Loads the whole game and redefines three of its sections.  West and East remain in the list of players, so that
\ the numbers of the players do not change, but they have no pieces and no turns.
LOAD splut.4th

{players
	{player} South    {search-engine} Splut-Engine
	{neutral} West
	{player} North    {search-engine} Splut-Engine
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

{board-setup
	{setup} Nobody sstone e1
	{setup} South wizard d2 {setup} South dwarf e2 {setup} South troll f2
	{setup} Nobody wstone a5
	{setup} Nobody nstone e9
	{setup} North wizard f8 {setup} North dwarf e8 {setup} North troll d8
	{setup} Nobody estone i5
	{setup} South lock sstone-home
	{setup} North lock nstone-home
	{setup} ?Cleaner broom shed
board-setup}
