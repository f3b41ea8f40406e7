"""Moves as text: the notation of scripts, and the matching of typed text with legal moves.

This package works only on texts.
"""
