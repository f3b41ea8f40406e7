\ Teams with a chance player. Planted: new players, but the turn order of teams.4th, which refers to other players.
LOAD teams.4th
: disappear ( -- ) capture add-move ;              \ the cloud removes itself
{moves weather-moves {move} disappear moves}
{pieces
	{piece} soldier {moves} soldier-moves
	{piece} cloud {moves} weather-moves
pieces}
{players
	{player} ?Storm {random}
	{player} Gold
	{player} Silver
players}
{board-setup
	{setup} ?Storm cloud c3
	{setup} Gold soldier a1 {setup} Gold soldier b1
	{setup} Silver soldier e6 {setup} Silver soldier f6
board-setup}
