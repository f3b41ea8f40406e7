"""The learning layer: games as arrays for programs that learn.

This file contains no code, so that its packages import nothing that they do not need.
"""
