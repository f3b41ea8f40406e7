\ Splut! for three: South, West and North, with all four stones on the board.

\ East is left out.  As in the duel, it remains in the list of players, so that the numbers of the players do not
\ change, but it has no pieces and no turns.
LOAD splut.4th

{players
	{player} South    {search-engine} Splut-Engine
	{player} West     {search-engine} Splut-Engine
	{player} North    {search-engine} Splut-Engine
	{neutral} East
	{player} ?Cleaner {random}
	{neutral} Nobody
players}

{turn-order
	{turn} South
	{turn} West  {turn} West
	{turn} North {turn} North {turn} North
	{repeat}
	{turn} ?Cleaner
	{turn} South {turn} South {turn} South
	{turn} West  {turn} West  {turn} West
	{turn} North {turn} North {turn} North
turn-order}

{board-setup
	{setup} Nobody sstone e1
	{setup} South wizard d2 {setup} South dwarf e2 {setup} South troll f2
	{setup} Nobody wstone a5
	{setup} West wizard b6 {setup} West dwarf b5 {setup} West troll b4
	{setup} Nobody nstone e9
	{setup} North wizard f8 {setup} North dwarf e8 {setup} North troll d8
	{setup} Nobody estone i5
	{setup} South lock sstone-home
	{setup} West lock wstone-home
	{setup} North lock nstone-home
	{setup} ?Cleaner broom shed
board-setup}
