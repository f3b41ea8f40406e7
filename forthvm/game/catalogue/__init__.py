"""Finding and loading games: bundled and installed games, script files, options and settings.

It must not know positions or moves.
"""
