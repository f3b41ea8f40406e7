"""Columns and tables keep all words and fit the screen."""

from __future__ import annotations

from forthvm.core.text.tables import columned, table
from tests.kit.cases import each_case

ROWS = [
    ("DUP", "( x -- x x )", "copy the top"),
    ("a-rather-long-name-for-a-word", "( a b c -- d e f )", "what it does " * 8),
    (".", "( n -- )", ""),
]


@each_case("width", [40, 60, 80, 120])
def test_tables_keep_all_words_within_the_width(width: int) -> None:
    lines = table(ROWS, width)
    assert " ".join(" ".join(lines).split()) == " ".join(" ".join(map(" ".join, ROWS)).split())
    heads = [line for line in lines if not line.startswith(" ")]
    assert [head.split()[0] for head in heads] == [row[0] for row in ROWS]
    widest_head = max(len("  ".join(row[:2])) for row in ROWS)  # a head is not broken
    assert all(len(line) <= max(width, widest_head) for line in lines)


def test_short_heads_are_aligned() -> None:
    lines = table([("a", "first"), ("bcd", "second")], 80)
    assert lines == ["a    first", "bcd  second"]


def test_empty_table_has_no_lines() -> None:
    assert table([], 80) == []


def test_columns_are_filled_downwards() -> None:
    assert columned(["1 aa", "2 b", "3 c", "4 d", "5 e"], 12) == [
        "1 aa  4 d",
        "2 b   5 e",
        "3 c",
    ]


def test_cell_wider_than_the_screen_has_its_own_line() -> None:
    assert columned(["x" * 30, "y"], 10) == ["x" * 30, "y"]
