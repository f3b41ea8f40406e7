"""Converts positions of the articles' Splut! scripts for the Python models of the game.

The scripts store internal state as pieces `lock` on squares outside the arena, the squares on
which stones and figures may stand.  A throw, in which a
troll picks up a stone and throws it, is two moves of the scripts and one step of the rules.  This
file owns the conversion only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from forthvm import Game, Position
from tests.articles.splut_tree import NAMES
from tests.models.splut import STONES

__all__ = ["RuleStep", "cells_of", "perft", "rule_steps", "squares_of"]


@lru_cache(maxsize=1000)
def _text(game: Game, cell: int) -> str:
    return str(game._loaded.roster.piece(cell) or "") if cell else ""


def cells_of(position: Position) -> tuple[str, ...]:
    """Return a text for each of the 81 squares, such as `South troll`; locks are included.

    A stone is named after the side where it stands first: `sstone` is the stone of the south.
    """
    return tuple(_text(position.game, cell) for cell in position.cells[: len(NAMES)])


def squares_of(position: Position) -> dict[str, str]:
    """Return the pieces by square as the rules define them: stones without owner, no locks."""
    found = {}
    for name, piece in zip(NAMES, cells_of(position), strict=True):
        kind = piece.partition(" ")[2]
        if kind in STONES:
            found[name] = kind
        elif kind != "lock" and piece:
            found[name] = piece
    return found


@dataclass(frozen=True)
class RuleStep:
    """A step of the rules: indexes of its moves (two for a throw), and the squares after it."""

    path: tuple[int, ...]
    squares: frozenset[tuple[str, str]]


def rule_steps(position: Position, path: tuple[int, ...] = ()) -> list[RuleStep]:
    """Return all complete steps in a position; the position is restored."""
    found = []
    for index, move in enumerate(list(position.legal_moves)):
        position.push(move)
        if position.is_partial:
            found += rule_steps(position, (*path, index))
        else:
            found.append(RuleStep((*path, index), frozenset(squares_of(position).items())))
        position.pop()
    return found


def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of `depth` steps; a throw counts as one step."""
    if position.result:
        return 0
    found = rule_steps(position)
    if depth == 1:
        return len(found)
    total = 0
    for step in found:
        for index in step.path:
            position.push(position.legal_moves[index])
        total += perft(position, depth - 1)
        for _ in step.path:
            position.pop()
    return total
