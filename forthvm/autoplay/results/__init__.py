"""Results files: the SQLite database of a match, its lock, its rows, and the code that it names."""
