"""Finding games: bundled and installed games, script files, and the options to load them."""
