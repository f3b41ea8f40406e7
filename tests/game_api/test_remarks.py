"""Remarks about a position, which OnExplain in remarks.4th prints."""

from __future__ import annotations

from pathlib import Path

import forthvm
from forthvm.core.errors import DivisionError
from forthvm.game import Remark
from tests.game_api.conftest import FOLDER, Loader
from tests.game_api.test_moves import texts
from tests.kit.messages import raises


def test_remarks_concern_squares_moves_or_positions(load: Loader) -> None:
    """Lines of OnExplain become remarks; memory does not change."""
    printed: list[str] = []
    position = load("remarks", output=printed.append).start()
    before = position.copy()
    assert texts(position) == ["man b1 x c1", "man b1 - a1"]
    for _ in range(2):
        assert position.remarks() == (
            Remark("threatened: by c1", square="b1"),
            Remark("likewise", square="c1"),
            Remark("takes", move=0),
            Remark("goes back", move=1),
            Remark("Man b1 - c1: is no move"),
            Remark("There are 2 moves, call 1"),
        )
    assert position == before
    assert printed == []


def test_a_game_without_onexplain_has_no_remarks(load: Loader) -> None:
    """The result is an empty tuple."""
    assert load("chain").start().remarks() == ()


def test_an_error_in_onexplain_is_raised(load: Loader, tmp_path: Path) -> None:
    """The error has a location, and the position remains usable."""
    broken = tmp_path / "broken.4th"
    source = (FOLDER / "remarks.4th").read_text(encoding="utf-8")
    broken.write_text(f"{source}: OnExplain ( -- ) calls ++ 1 0 / . ;\n", encoding="utf-8")
    position = forthvm.load(broken).start()
    before = position.copy()
    with raises(DivisionError, "remarks.an-error-in-onexplain"):
        position.remarks()
    assert position == before
    position.push("b1a1")
    assert position.ply == 1
