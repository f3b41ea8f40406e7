"""Traced generation: which move words ran for which board positions, and their decisions.

Owns the traced runs that `explain` and `why_not` use.
"""
