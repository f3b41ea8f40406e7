"""Tables of figures: alignment, names cut to the width, and wide characters."""

from __future__ import annotations

from forthvm.core.text.tables import table_lines

ROWS = [["game", "plies"], ["a long name of a game", "80"], ["ur", "1,200"]]


def test_numbers_are_aligned_to_the_right() -> None:
    assert table_lines(ROWS, 80, numbers=True) == [
        "game                   plies",
        "a long name of a game     80",
        "ur                     1,200",
    ]


def test_only_names_are_cut() -> None:
    assert table_lines(ROWS, 20, numbers=True) == [
        "game           plies",
        "a long name …     80",
        "ur             1,200",
    ]
    assert table_lines(ROWS, 5, numbers=True)[1] == "a long na…     80"


def test_without_a_width_nothing_is_cut() -> None:
    path = "/a/very/long/path" * 100
    assert table_lines([["name", path, "x"]]) == [f"name        {path}  x"]


def test_wide_characters_take_two_columns() -> None:
    assert table_lines([["将棋", "1"], ["shogi", "2"]]) == ["将棋        1", "shogi       2"]


def test_a_table_without_rows_is_empty() -> None:
    assert table_lines([]) == []
