"""The harmonies of Rhythmomachia 2, with the settings `r2-harmony`, `r2-shape` and `r2-enemy`.

A harmony is a victory: three pieces in the enemy's half whose ratings (the numbers on the pieces)
form a progression, and whose squares form a line or a triangle.  This file decides whether three
pieces form a harmony.

Interpretations where the game's rules page is silent (harmonies are in its section 10):
- The three ratings are ordered by size, independently of their squares.
- Ratings that attacks have reduced for the rest of a turn count in full.
- A pyramid counts with its total or with the rating of one part (section 8 of the page).
- The squares between the pieces, on the line or on the legs of the triangle, are empty.
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
    ray,
    territory,
)
from tests.models.rithmomachia_glory import progression

__all__ = ["harmony"]

ALL: Final = ("arithmetic", "geometric", "harmonic")
Direction = tuple[tuple[int, int], int]  # a step, and the number of empty squares between


def harmony(  # noqa: PLR0913 - a position and three options
    board: Board, parts: Parts, side: str, *, kinds: str, shape: str, enemy: int
) -> bool:
    """Return whether a side has a harmony in the enemy's half.

    Args:
        board: The pieces by square.
        parts: The remaining parts of the pyramids.
        side: The side that may have won.
        kinds: `all`, or the kind of progression that counts.
        shape: `line`, `triangle`, or another value for both.
        enemy: Number of the three pieces that may be enemy pieces, 0 or 1.
    """
    progressions = ALL if kinds == "all" else (kinds,)
    inside = territory(OTHER[side])
    pieces = {name: piece for name, piece in board.items() if name in inside}
    if sum(piece.side == side for piece in pieces.values()) < 3 - enemy:
        return False
    for squares in combinations(pieces, 3):
        enemies = sum(pieces[name].side != side for name in squares)
        if (
            enemies <= enemy
            and _form_progression([_ratings(pieces[name], parts) for name in squares], progressions)
            and _form_shape(squares, board, shape)
        ):
            return True
    return False


def _ratings(piece: Piece, parts: Parts) -> set[int]:
    if piece.kind != "P":
        return {piece.value}
    values = [part.value for part in parts[piece.side]]
    return {*values, sum(values)} if values else set()


def _form_progression(ratings: list[set[int]], progressions: tuple[str, ...]) -> bool:
    first, second, third = ratings
    return any(progression(a, b, c) in progressions for a in first for b in second for c in third)


def _form_shape(squares: tuple[str, ...], board: Board, shape: str) -> bool:
    for middle in squares:
        ends = (name for name in squares if name != middle)
        first, second = (_direction(middle, end, board) for end in ends)
        if first is None or second is None:
            continue
        (step, distance), (other_step, other_distance) = first, second
        opposite = step == (-other_step[0], -other_step[1])
        if shape != "triangle" and opposite and distance == other_distance:
            return True
        orthogonal = step in ORTHOGONAL and other_step in ORTHOGONAL
        if shape != "line" and orthogonal and step != other_step and not opposite:
            return True
    return False


def _direction(square: str, other: str, board: Board) -> Direction | None:
    """Return direction and distance from a square to another.

    None if they are not in line, or if a square between them is occupied.
    """
    for step in ORTHOGONAL + DIAGONAL:
        line = ray(square, step)
        if other in line:
            distance = line.index(other)
            return None if any(name in board for name in line[:distance]) else (step, distance)
    return None
