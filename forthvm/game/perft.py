"""Perft: counts move sequences, to test move generators against each other.

Owns the functions of the API.  It must not know how moves are made: the C core counts.

A partial move, a pass in the list and a chance player's move are plies like others; with
`joined` a whole chain of partial moves is one ply, as in published counts of draughts.  Below
a decided position, and below one whose player has no move, nothing is counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .moves import Move
    from .position import Position

__all__ = ["perft", "perft_divide", "perft_parts"]


def perft(position: Position, depth: int, *, joined: bool = False) -> int:
    """The number of move sequences of `depth` plies from a position.

    Args:
        position: The first position.
        depth: Plies.
        joined: A chain of partial moves counts as one ply.

    Raises:
        ValueError: the depth is negative.
        ForthVMError: the script fails.

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
    states = position.game.states
    with states.borrowed(position.state, listed=False) as native:
        return native.perft(depth, joined=joined)


def perft_divide(position: Position, depth: int, *, joined: bool = False) -> list[tuple[Move, int]]:
    """Each legal move with the number of sequences that begin with it.

    With `joined` a partial move has the number of those that its chains begin.

    Raises:
        ValueError: the depth is less than 1.
    """
    from .position import check_position

    check_position(position, "perft_divide")
    return list(perft_parts(position, depth, joined=joined))


def perft_parts(position: Position, depth: int, *, joined: bool) -> Iterator[tuple[Move, int]]:
    """The results of `perft_divide`, one by one as they are computed."""
    if depth < 1:
        raise ValueError(f"depth {depth} leaves no move to divide by")
    if position.result is not None:
        return
    after = position.copy()
    for move in position.legal_moves:
        after.push(move)
        left = depth if joined and after.is_partial else depth - 1
        yield move, perft(after, left, joined=joined)
        after.pop()
