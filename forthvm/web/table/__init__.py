"""A table: a game in play, its seats, clocks and tree of moves."""
