\ for three players
LOAD threes.4th
{players {player} Noughts {player} Crosses {player} Stars players}
