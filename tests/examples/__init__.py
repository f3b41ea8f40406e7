"""Tests of the programs in the folder examples."""
