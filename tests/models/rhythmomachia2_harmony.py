"""Rhythmomachia 2: its harmonies, `r2-harmony`, `r2-shape` and `r2-enemy` of section 10.

Owns whether three pieces stand in harmony; must not know turns or attacks.

Readings, where the page is silent:
- The three ratings are put in order by size, not by where they stand.  They are the full
  ratings, whatever attacks have taken off.
- A pyramid stands for its total or for one part (section 8).
- Nothing may stand between on the line, or on the two legs of the triangle.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

from tests.models.rithmomachia_board import (
    DIAGONAL,
    ORTHOGONAL,
    OTHER,
    Board,
    Parts,
    Piece,
    territory,
    walk,
)
from tests.models.rithmomachia_glory import progression

__all__ = ["harmony"]

ALL: Final = ("arithmetic", "geometric", "harmonic")
Sight = tuple[tuple[int, int], int]  # a direction, and how far something is in it


def harmony(  # noqa: PLR0913 - a position and three options
    board: Board, parts: Parts, side: str, *, kinds: str, shape: str, enemy: int
) -> bool:
    """Whether a side has three pieces in harmony in the enemy's half."""
    wanted = ALL if kinds == "all" else (kinds,)
    inside = territory(OTHER[side])
    here = {name: piece for name, piece in board.items() if name in inside}
    if sum(piece.side == side for piece in here.values()) < 3 - enemy:
        return False
    for three in combinations(here, 3):
        strangers = sum(here[name].side != side for name in three)
        if (
            strangers <= enemy
            and _tuned([_ratings(here[name], parts) for name in three], wanted)
            and _shaped(three, board, shape)
        ):
            return True
    return False


def _ratings(piece: Piece, parts: Parts) -> set[int]:
    if piece.kind != "P":
        return {piece.value}
    values = [part.value for part in parts[piece.side]]
    return {*values, sum(values)} if values else set()


def _tuned(ratings: list[set[int]], wanted: tuple[str, ...]) -> bool:
    one, two, last = ratings
    return any(progression(a, b, c) in wanted for a in one for b in two for c in last)


def _shaped(three: tuple[str, ...], board: Board, shape: str) -> bool:
    for corner in three:
        one, two = (name for name in three if name != corner)
        first, second = _sight(corner, one, board), _sight(corner, two, board)
        if first is None or second is None:
            continue
        (step, far), (other, wide) = first, second
        opposite = step == (-other[0], -other[1])
        if shape != "triangle" and opposite and far == wide:
            return True
        legs = step in ORTHOGONAL and other in ORTHOGONAL and step != other and not opposite
        if shape != "line" and legs:
            return True
    return False


def _sight(square: str, other: str, board: Board) -> Sight | None:
    """Direction and distance to a square, if it lies in line with nothing between."""
    for step in ORTHOGONAL + DIAGONAL:
        line = walk(square, step)
        if other in line:
            far = line.index(other)
            return None if any(name in board for name in line[:far]) else (step, far)
    return None
