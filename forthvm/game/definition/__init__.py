"""The definition of a game, read from the memory of a loaded script: tables, pieces, teams."""
