\ Lines for Red and Green. Planted: new players, but the turn order of lines.4th with White and Black.
LOAD lines.4th

{players
	{player} Green {random}
	{player} Red
players}
{board-setup
	{setup} Red man a1   {setup} Red man e1
	{setup} Green man b5 {setup} Green man d5
board-setup}
