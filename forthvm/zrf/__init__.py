"""Rule files of Zillions of Games (`.zrf`) and its saved games (`.zsg`).

Reads a rule file, merges a variant with its game, and compiles the result to ForthScript, so that
the game runs on the same VM as a script.
"""
