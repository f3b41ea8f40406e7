"""Tests of matches: playing, storing, statistics and reports."""
