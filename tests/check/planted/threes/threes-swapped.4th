\ Crosses begin
LOAD threes.4th
{players {player} Crosses {player} Noughts players}
