"""Finding and loading games: bundled and installed games, script files, options and settings."""
