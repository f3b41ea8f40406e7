"""Plain Python models of games, written from the rules pages alone; no forthvm in here."""
