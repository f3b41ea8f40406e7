\ Threes: Crosses begin. Planted: the players change places, but the turn order of threes.4th refers to them by number.
LOAD threes.4th
{players {player} Crosses {player} Noughts players}
