"""Games as single HTML files, which are played without a server."""
