"""Plays the recordings of the original engine against forthvm.

`records` reads them, `host` asks a VM what the original's host asked, `rules` holds what
version 150 is allowed to say differently.  Nothing here may name a game or a fragment.
"""
