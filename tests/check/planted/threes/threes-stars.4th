\ Threes for three players. Planted: the turn order of threes.4th has only two.
LOAD threes.4th
{players {player} Noughts {player} Crosses {player} Stars players}
