"""What a move did, as values and as sentences, and what the script prints for players.

It must not know how positions are saved and restored.
"""
