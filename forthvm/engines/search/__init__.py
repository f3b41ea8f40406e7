"""Engines that search: the minimax family, Monte Carlo tree search, and engines inside the VM.

The searches run in C (native/search/); these modules translate options, limits and results.  The
modules are imported when an engine is first used.
"""
