"""The definition of a game, read from the memory of a loaded script: tables, pieces, teams.

It must not know moves or histories.
"""
