"""Boards of rule files with random grids: every position is drawn, at a place of its own."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import forthvm
from forthvm.render.draw_svg import board_svg
from forthvm.render.draw_text import board_text
from forthvm.render.scene import scene
from forthvm.render.symbols import game_symbols

AXES = ("a/b/c", "3/2/1", "x/y/z", "P/Q")
STEPS = (-50, -50, -7, -4, 0, 0, 1, 4, 25, 50, 50)


def random_board(chooser: random.Random) -> str:
    """Return a rule file with a grid of one to four dimensions, and positions anywhere."""
    axes = AXES[: chooser.randint(1, 4)]
    dimensions = " ".join(
        f'("{names}" ({chooser.choice(STEPS)} {chooser.choice(STEPS)}))' for names in axes
    )
    step = " ".join("1" for _ in axes)
    free = "".join(
        f"(Spot{at} {x} {y} {x + 40} {y + 40})"
        for at in range(chooser.choice((0, 0, 1, 5)))
        for x, y in [(chooser.choice((0, 20, 300)), chooser.choice((0, 0, 60)))]
    )
    return f"""\
(game (title "Random board") (players A B) (turn-order A B)
 (board
  (grid (start-rectangle 0 0 40 40) (dimensions {dimensions}) (directions (e {step})))
  {f"(positions {free})" if free else ""})
 (piece (name man) (drops (add)))
 (board-setup (A (man off 3)) (B (man off 3)))
 (loss-condition (A B) stalemated))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "count"), [(0, 10), pytest.param(10, 190, marks=pytest.mark.slow)]
)
def test_every_position_is_drawn_at_its_own_place(tmp_path: Path, first: int, count: int) -> None:
    path = tmp_path / "board.zrf"
    for seed in range(first, first + count):
        path.write_text(random_board(random.Random(seed)))
        game = forthvm.load(path)
        assert game._loaded.rules is not None
        drawn = scene(game.start())
        names = [
            name for name in game.positions if name in game._loaded.rules.rules.board.rectangles
        ]
        squares = {square.name: square for square in drawn.board.squares}
        assert set(names) <= squares.keys(), seed
        assert len({squares[name].centre for name in names}) == len(names), seed
        assert all(square.size > 0 for square in squares.values()), seed
        assert board_text(drawn)
        svg = board_svg(drawn, game_symbols(game), title="")
        assert all(name in svg for name in names)
