"""Models of games in plain Python, written from the rules pages alone, and tests that use them.

A model must not import forthvm.
"""
