"""The playground: a static page on which people write, play and try games in the browser."""
