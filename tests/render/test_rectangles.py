"""Layouts of boards from the rectangles of their positions."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm import render
from forthvm.render.draw_text import board_lines
from forthvm.render.rectangles import Rectangle, rectangle_layout
from tests.kit.cases import each_case
from tests.kit.games import load_text

SIZE = 20


def square(column: float, row: float) -> Rectangle:
    """Return a square; columns and rows are 22 pixels apart."""
    left, top = round(22 * column), round(22 * row)
    return left, top, left + SIZE, top + SIZE


def board(columns: str, rows: str) -> dict[str, Rectangle]:
    """Return squares with the names of column and row, in this order."""
    return {
        column + row: square(at, down)
        for down, row in enumerate(rows)
        for at, column in enumerate(columns)
    }


@pytest.mark.parametrize(("columns", "rows"), [("abc", "21"), ("321", "ab")])
def test_names_of_column_and_row(columns: str, rows: str) -> None:
    rectangles = board(columns, rows)
    layout = rectangle_layout(list(rectangles), rectangles)
    assert layout.coordinates == ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2))
    assert (layout.row_labels, layout.column_labels) == (tuple(rows), tuple(columns))


def test_names_of_row_and_column() -> None:
    rectangles = {name[::-1]: place for name, place in board("abc", "21").items()}
    layout = rectangle_layout(list(rectangles), rectangles)
    assert (layout.row_labels, layout.column_labels) == (("2", "1"), ("a", "b", "c"))


def test_a_pixel_more_or_less_does_not_make_another_row() -> None:
    rectangles = board("abc", "21") | {"b2": (21, 1, 43, 19)}
    layout = rectangle_layout(list(rectangles), rectangles)
    assert layout.coordinates[1] == (0, 1)


def test_a_wide_gap_is_an_empty_column() -> None:
    rectangles = board("ab", "21") | {"d2": square(3, 0), "d1": square(3, 1)}
    layout = rectangle_layout(list(rectangles), rectangles)
    assert layout.column_labels == ("a", "b", "", "d")


def test_positions_without_a_rectangle_are_beside_the_board() -> None:
    layout = rectangle_layout(["c0", *board("abc", "21")], board("abc", "21"))
    assert layout.coordinates[:2] == (None, (0, 0))


def test_positions_with_other_names_are_beside_a_regular_board() -> None:
    rectangles = board("abc", "21") | {"dice": square(3, 0)}
    layout = rectangle_layout(list(rectangles), rectangles)
    assert layout.coordinates[-1] is None
    assert layout.column_labels == ("a", "b", "c")


@each_case(
    "rectangles",
    [
        {},
        {f"p{at}": square(at, 0) for at in range(9)},  # a single row
        {f"p{at}": square(at, at) for at in range(9)},  # less than a quarter of the board
        {f"p{at}": square(at % 2, at // 2 % 2) for at in range(9)},  # several in one place
        {f"position-{at}": square(at % 3, at // 3) for at in range(9)},  # long names
    ],
)
def test_other_rectangles_form_no_board(rectangles: dict[str, Rectangle]) -> None:
    assert rectangle_layout(list(rectangles), rectangles) is None


RING = """(game (title "Ring") (players White Black) (turn-order White Black)
  (board
    (positions (p1 0 0 9 9) (p2 20 0 29 9) (p3 40 0 49 9) (p4 40 20 49 29)
      (p5 40 40 49 49) (p6 20 40 29 49) (p7 0 40 9 49) (p8 0 20 9 29))
    (links next (p1 p2) (p2 p3) (p3 p4) (p4 p5) (p5 p6) (p6 p7) (p7 p8) (p8 p1)))
  (piece (name Man) (moves (next (verify empty?) add)))
  (board-setup (White (Man p1)) (Black (Man p5))))
"""


def test_a_board_without_labels_shows_the_names_of_empty_squares(tmp_path: Path) -> None:
    position = load_text(tmp_path, RING, name="ring.zrf").start()
    lines = [line.split() for line in board_lines(render.scene(position))]
    assert lines == [["White", "p2", "p3"], ["p8", "p4"], ["p7", "p6", "Black"]]


@pytest.mark.slow
def test_a_board_with_names_such_as_4a_has_rows_and_columns() -> None:
    games = Path(__file__).parents[1] / "zrf" / "games"
    lines = board_lines(render.scene(forthvm.load(games / "mini-shogi.zrf").start()))
    assert [line.split()[0] for line in lines[:5]] == ["a", "b", "c", "d", "e"]
    assert lines[5].split() == ["5", "4", "3", "2", "1"]
