"""Counting move sequences, to compare engines of rules with each other.

Owns nothing but the two functions; the count itself runs in the C core.

A partial move, a pass in the list and a chance player's move are plies like others.  Below a
decided position, and below one whose player has no move, nothing is counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .moves import Move
    from .position import Position

__all__ = ["perft", "perft_divide"]


def perft(position: Position, depth: int) -> int:
    """The number of move sequences of `depth` plies from a position.

    Raises:
        ValueError: the depth is negative.
        ForthVMError: the script fails.

    >>> import forthvm
    >>> perft(forthvm.load("tictactoe").start(), 2)
    72
    """
    if depth < 0:
        raise ValueError(f"depth {depth} is negative")
    if depth == 0:
        return 1
    if position.result is not None:
        return 0
    if depth == 1:
        return len(position.legal_moves)
    states = position.game.states
    with states.borrowed(position.state, listed=False) as native:
        return native.perft(depth)


def perft_divide(position: Position, depth: int) -> list[tuple[Move, int]]:
    """Each legal move with the number of sequences that begin with it.

    Raises:
        ValueError: the depth is less than 1.
    """
    if depth < 1:
        raise ValueError(f"depth {depth} leaves no move to divide by")
    if position.result is not None:
        return []
    after = position.copy()
    counts = []
    for move in position.legal_moves:
        after.push(move)
        counts.append((move, perft(after, depth - 1)))
        after.pop()
    return counts
