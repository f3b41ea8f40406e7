"""Tests of unused lists of moves (W402) in files that several scripts share."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.check import check_files
from tests.kit.boards import GRID_3X3
from tests.kit.files import write

LISTS = """\
: step ( -- ) east verify from here move add-move ;
{moves man-moves {move} step moves}
{moves king-moves {move} step moves}
"""


def unused_lists(path: Path) -> list[str]:
    """Return the messages about unused lists of moves in a script."""
    return [f.message for f in check_files([path], select=["W402"]).findings]


def test_loaded_file_may_have_lists_for_other_scripts(tmp_path: Path) -> None:
    write(tmp_path / "lists.4th", LISTS)
    pieces = "LOAD lists.4th\n{pieces {piece} Man {moves} man-moves pieces}\n"
    assert unused_lists(write(tmp_path / "game.4th", GRID_3X3 + pieces)) == []


@pytest.mark.parametrize(
    ("sibling", "unused"),
    [
        ("LOAD game.4th\n{pieces {piece} King {moves} king-moves pieces}\n", False),
        ("{moves king-moves moves} {pieces {piece} K {moves} king-moves pieces}\n", True),
        ("\\ king-moves\n", True),
        ("", True),
    ],
)
def test_unused_list_is_reported_unless_a_sibling_uses_it(
    tmp_path: Path, sibling: str, unused: bool
) -> None:
    game = GRID_3X3 + LISTS + "{pieces {piece} Man {moves} man-moves pieces}\n"
    if sibling:
        write(tmp_path / "other.4th", sibling)
    expected = ["no piece has the moves `king-moves`"] if unused else []
    assert unused_lists(write(tmp_path / "game.4th", game)) == expected
