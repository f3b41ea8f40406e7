\ A row of three squares and two players, loaded by the game scripts in the parent folder.
{board 1 3 {grid} board}
{directions 0 1 {direction} east directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
