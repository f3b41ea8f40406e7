"""Compiles the rules of a game to ForthScript.

`compile_rules` in compile.py returns the script with its source map.
"""
