"""Perft: counts move sequences, to test move generators against each other.

Owns the functions of the API.  The C core counts.

A partial move, a pass in the move list and a chance player's move are plies like any other.  With
`joined`, a chain of partial moves is one ply, as in published counts of draughts.  A sequence that
ends before `depth`, because the game is decided or the player has no move, is not counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .moves import Move
    from .position import Position

__all__ = ["perft", "perft_by_move", "perft_divide"]


def perft(position: Position, depth: int, *, joined: bool = False) -> int:
    """Return the number of move sequences of `depth` plies from a position.

    Args:
        position: The first position.
        depth: Number of plies.
        joined: Count a chain of partial moves as one ply.

    Raises:
        ValueError: The depth is negative.
        ForthVMError: The script fails.

    >>> import forthvm
    >>> perft(forthvm.load("tictactoe").start(), 2)
    72
    """
    from .position import check_position

    check_position(position, "perft")
    if depth < 0:
        raise ValueError(f"depth {depth} is negative")
    if depth == 0:
        return 1
    if position.result is not None:
        return 0
    if depth == 1 and not joined:
        return len(position.legal_moves)
    with position._states.in_memory(position._state, listed=False) as native:
        return native.perft(depth, joined=joined)


def perft_divide(position: Position, depth: int, *, joined: bool = False) -> list[tuple[Move, int]]:
    """Return each legal move with the number of sequences that begin with it.

    Raises:
        ValueError: The depth is less than 1.
    """
    from .position import check_position

    check_position(position, "perft_divide")
    return list(perft_by_move(position, depth, joined=joined))


def perft_by_move(position: Position, depth: int, *, joined: bool) -> Iterator[tuple[Move, int]]:
    """Yield the results of `perft_divide` as they are computed."""
    if depth < 1:
        raise ValueError(f"depth {depth} is less than 1")
    if position.result is not None:
        return
    after = position.copy()
    for move in position.legal_moves:
        after.push(move)
        remaining = depth if joined and after.is_partial else depth - 1
        yield move, perft(after, remaining, joined=joined)
        after.pop()
