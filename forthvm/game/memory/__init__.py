"""The memory of a position: variables, random streams, scratch memory, differences.

This package owns the addresses of variables, random streams and scratch memory.
"""
