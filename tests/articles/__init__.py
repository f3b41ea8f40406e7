"""Tests of the Forth fragments that two articles print: they are extracted, loaded and played."""
