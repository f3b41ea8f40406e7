\ do: check
{board 1 3 {grid} board}
