\ Teams with storms: between the turns the weather blows a soldier away.
LOAD teams.4th
: blow ( -- ) from here = verify capture add-move ;
{moves weather-moves {move} blow moves}
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
