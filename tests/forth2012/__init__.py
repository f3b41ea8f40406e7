"""Tests of standard Forth: library="forth2012"."""
