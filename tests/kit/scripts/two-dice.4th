\ A variant of three-dice for two players.
LOAD three-dice.4th
{players {player} Ann {player} Bob {player} ?Dice {random} players}
{turn-order {turn} Ann {turn} ?Dice {turn} Bob {turn} ?Dice turn-order}
{board-setup
	{setup} ?Dice one a1
	{setup} Ann runner a7 {setup} Ann runner c4
	{setup} Bob runner b6 {setup} Bob runner a3
board-setup}
