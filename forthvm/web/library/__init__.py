"""The page of a library of games."""
