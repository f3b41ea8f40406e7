"""Tests of the API for host programs: games, positions and moves."""
