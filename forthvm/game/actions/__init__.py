"""Actions: numbers of moves that are the same in every position of a game."""
