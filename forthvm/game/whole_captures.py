"""Finds a capture of several pieces that is one move, by the squares on which the piece jumps.

A script lists such a capture once, with one of the ways on which a piece can capture the same
pieces.  A player or another program may name another way, with other squares between the jumps.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .loaded import LoadedGame
    from .moves import Move
    from .position import Position

__all__ = ["find_capture", "names_some_of"]


def find_capture(position: Position, squares: Sequence[str]) -> Move | None:
    """Return the only move from the first to the last square that captures what is between them.

    Args:
        position: A position on a grid.
        squares: Names of squares, in lower case.
    """
    captured = sorted(
        square
        for first, last in pairwise(squares)
        for square in _between(position._loaded, first, last)
        if position.board[square] is not None and square.casefold() != squares[0]
    )
    found = [move for move in position.legal_moves if _is_capture(move, squares, captured)]
    return found[0] if len(found) == 1 else None


def names_some_of(game: LoadedGame, moves: Sequence[Move], named: Sequence[str]) -> bool:
    """Return whether squares are some of those that a capture names, in order.

    That is where the piece can land behind each piece that it captures, or the captured pieces.

    Args:
        game: The game.
        moves: The parts of the capture.
        named: Names of squares, in lower case.
    """
    parts = [part for move in moves for part in move.parts]
    captured = [part.squares[0].casefold() for part in parts if part.kind == "capture"]
    landed: list[str] = []
    for part in parts:
        if part.kind == "move":
            way = [*map(str.casefold, _between(game, *part.squares)), part.squares[1].casefold()]
            behind = max((way.index(square) + 1 for square in captured if square in way), default=0)
            landed += way[behind:]
    return _is_subsequence(named, landed) or _is_subsequence(named, captured)


def _is_subsequence(some: Sequence[str], squares: Sequence[str]) -> bool:
    remaining = iter(squares)
    return all(square in remaining for square in some)


def _is_capture(move: Move, squares: Sequence[str], captured: list[str]) -> bool:
    moved = [part.squares for part in move.parts if part.kind == "move"]
    taken = [square for part in move.parts if part.kind == "capture" for square in part.squares]
    if not moved or not taken or sorted(taken) != captured:
        return False
    return (moved[0][0].casefold(), moved[-1][1].casefold()) == (squares[0], squares[-1])


def _between(game: LoadedGame, first: str, last: str) -> list[str]:
    """Return the squares between two on the same line of the grid."""
    columns = game.tables.grid.columns
    places = {
        name.casefold(): divmod(index, columns)
        for index, name in enumerate(game.positions[: game.tables.grid.rows * columns])
    }
    if first not in places or last not in places:
        return []
    (row, column), (last_row, last_column) = places[first], places[last]
    rows, steps = last_row - row, max(abs(last_row - row), abs(last_column - column))
    if rows and last_column != column and abs(rows) != abs(last_column - column):
        return []
    return [
        game.positions[
            (row + rows // steps * step) * columns + column + (last_column - column) // steps * step
        ]
        for step in range(1, steps)
    ]
