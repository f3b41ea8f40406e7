"""API tests: what host programs see of games, positions and moves."""
