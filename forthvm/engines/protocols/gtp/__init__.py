"""GTP, the protocol of programs that play Go, as client and as server."""
