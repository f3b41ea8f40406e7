"""The turn numbers of saved games.

Owns the rule by which the number of a turn grows: when the turn order passes its end, and when it
reaches the entry after `repeat` for the first time (section 4, item 39 of the contract of ZRF).
"""

from __future__ import annotations

__all__ = ["next_number"]


def next_number(number: int, index: int, next_index: int, repeat: int) -> int:
    """Return the turn number after a complete turn.

    Args:
        number: The number of the turn that ends.
        index: Index of its entry in the turn order.
        next_index: Index of the entry that follows.
        repeat: Index of the entry at which the turn order begins again.
    """
    passes_end = next_index <= index
    reaches_repeat = index < repeat <= next_index
    return number + (passes_end or reaches_repeat)
