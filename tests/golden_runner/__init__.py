"""Compares forthvm with the recordings of the original engine in tests/golden.

`records` reads them, `host` repeats the calls of the original's host, `rules` contains the
documented differences of version 150.  No module may depend on a particular game or fragment.
"""
