"""Tests of matches: how they are played, kept, counted and shown."""
