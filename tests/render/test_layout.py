"""Layouts from a grid, and inferred from names."""

from __future__ import annotations

from forthvm.render.layout import grid_layout, infer_layout
from tests.render import boards


def test_grid_positions_are_ordered_by_rows_from_the_top() -> None:
    names = ["a2", "b2", "c2", "a1", "b1", "c1", "store"]
    layout = grid_layout(names, 2, 3)
    assert layout.coordinates == ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), None)
    assert layout.row_labels == ("2", "1")
    assert layout.column_labels == ("a", "b", "c")


def test_two_rows_with_different_letters_have_both_in_the_labels() -> None:
    names = ["b2", "a2", "c2", "a1", "b1", "c1"]
    assert grid_layout(names, 2, 3).column_labels == ("a/b", "b/a", "c")


def test_the_diamond_of_splut_is_inferred_from_names() -> None:
    layout = infer_layout(boards.SPLUT_SQUARES)
    assert layout.coordinates[boards.SPLUT_SQUARES.index("a5")] == (4, 0)
    assert layout.coordinates[boards.SPLUT_SQUARES.index("e9")] == (0, 4)
    assert layout.column_labels == tuple("abcdefghi")
    assert layout.row_labels == tuple("987654321")


def test_a_flipped_board_has_row_one_at_the_top() -> None:
    layout = infer_layout(["a1", "b1", "a2", "b2"], top_down=True)
    assert layout.coordinates == ((0, 0), (0, 1), (1, 0), (1, 1))
    assert layout.row_labels == ("1", "2")


def test_a_few_names_like_squares_do_not_make_a_board() -> None:
    assert infer_layout(["a1", "z9", "flag", "lock"]).row_labels == ()
    assert infer_layout(["bar", "home"]).coordinates == (None, None)
    assert infer_layout(["a1", "A1", "b1", "B1"]).coordinates == (None,) * 4
    assert infer_layout([]).coordinates == ()
