"""The patterns of a network: lines of linked squares.

Patterns in different places have the same shape if they follow the same direction.  With few kinds
of pieces lines are longer, because a table has a weight for all that can stand on the squares of a
pattern together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings import NETWORK_TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.game import Game

__all__ = ["choose_patterns"]

_MAX_SIZE = 4
"""The maximum number of squares of a pattern."""
_MAX_TABLE = 1024
"""The maximum number of weights of a pattern with more than two squares."""
_MAX_PATTERNS = 1024
"""The maximum number of patterns; lines in the first directions come first."""


def choose_patterns(game: Game, kinds: int) -> list[tuple[int, tuple[int, ...]]]:
    """Return the shapes and squares of the patterns, all with the same number of squares.

    A game without pieces has no patterns.

    Args:
        game: The game.
        kinds: The number of kinds of pieces, by type and owner.
    """
    for size in range(_MAX_SIZE if kinds else 0, 1, -1):
        table = (kinds + 1) ** size
        if size > 2 and table > _MAX_TABLE:
            continue
        found: dict[frozenset[int], tuple[int, tuple[int, ...]]] = {}
        for shape, squares in _lines(game, size):
            found.setdefault(frozenset(squares), (shape, squares))
        if found:
            chosen = list(found.values())[: min(_MAX_PATTERNS, NETWORK_TABLES // table)]
            shapes = {shape: at for at, shape in enumerate(dict(chosen))}
            return [(shapes[shape], squares) for shape, squares in chosen]
    return []


def _lines(game: Game, size: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the lines of `size` different squares, each with the index of its direction."""
    for shape, direction in enumerate(game.directions):
        for start in range(len(game.positions)):
            squares = [start]
            while len(squares) < size and direction.links[squares[-1]] >= 0:
                squares.append(direction.links[squares[-1]])
            if len(squares) == size == len(set(squares)):
                yield shape, tuple(squares)
