"""Results files: the SQLite database of a match, its lock, its rows, and what it may run.

It must not know how games are played or counted.
"""
