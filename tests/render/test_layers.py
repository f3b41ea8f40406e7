"""Positions on top of each other are drawn beside each other."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from forthvm import render
from forthvm.render.layers import apart
from forthvm.render.rectangles import Rectangle
from tests.kit.cases import each_case
from tests.kit.games import load_text

STACKS = """(game (title "Stacks") (players A B) (turn-order A B)
  (board (grid (start-rectangle 0 50 40 90)
    (dimensions ("a/b/c" (50 0)) ("3/2/1" (0 50)) ("x/y/z" (0 -4)))
    (directions (e 1 0 0) (n 0 -1 0) (up 0 0 1))))
  (piece (name man) (moves (up (verify empty?) add)))
  (board-setup (A (man a1x)) (B (man c3x))))
"""


def board(shift: int, *, layers: int, side: int = 3) -> dict[str, Rectangle]:
    """Return a board of squares of 40 pixels, whose layers are shifted by some pixels."""
    return {
        f"{layer}{row}{column}": (
            left := 50 * column + shift * layer,
            top := 50 * row + shift * layer,
            left + 40,
            top + 40,
        )
        for row in range(side)
        for column in range(side)
        for layer in range(layers)
    }


def overlap(one: Rectangle, other: Rectangle) -> bool:
    """Return whether one covers more of the other than a tenth of its side."""
    return all(one[at] + 4 < other[at + 2] and other[at] + 4 < one[at + 2] for at in (0, 1))


@pytest.mark.parametrize("shift", [0, 1, 4])
@pytest.mark.parametrize("layers", [2, 3, 12])
def test_layers_are_beside_each_other(shift: int, layers: int) -> None:
    stacked = board(shift, layers=layers)
    found = apart(stacked)
    assert found.keys() == stacked.keys()
    assert not any(overlap(one, other) for one, other in combinations(found.values(), 2))
    right, bottom = max(at[2] for at in found.values()), max(at[3] for at in found.values())
    assert max(right, bottom) <= 3 * min(right, bottom)


@each_case(
    "rectangles",
    [
        board(0, layers=1),
        board(0, layers=1) | {"bar": (0, 0, 40, 40)},  # one place that two positions share
        {str(at): (25 * at, 0, 25 * at + 40, 40) for at in range(8)},  # they overlap a little
    ],
)
def test_a_board_without_layers_stays(rectangles: dict[str, Rectangle]) -> None:
    assert apart(rectangles) == rectangles


def test_a_pile_of_more_layers_stays() -> None:
    rectangles = {str(at): (0, 0, 50, 50) for at in range(3000)}
    assert apart(rectangles) == rectangles


def test_every_position_of_a_stack_is_drawn(tmp_path: Path) -> None:
    game = load_text(tmp_path, STACKS)
    board = render.scene(game.start()).board
    assert {square.name for square in board.squares} == set(game.positions)
    assert board.pixel == 0
    places = [square.centre for square in board.squares]
    assert min(abs(x - u) + abs(y - v) for (x, y), (u, v) in combinations(places, 2)) > 0.99
