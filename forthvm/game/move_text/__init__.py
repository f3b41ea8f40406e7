"""Moves as text: the notation of scripts, and typed text matched with the legal moves.

It works on texts alone and must not know positions.
"""
