\ do: check   (the test checks that the script defines a game)
{board 1 3 {grid} board}
