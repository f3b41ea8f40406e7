"""Pieces in stores: read by the API, and shown below the board."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm import render
from tests.kit.boards import STORES
from tests.kit.games import load_text, loaded

SETUP = "(White (Man a1) (Tent off 2)) (Black (Man b1))"


@pytest.fixture
def position(tmp_path: Path) -> forthvm.Position:
    """The first position of a game with stores."""
    return load_text(tmp_path, STORES % SETUP, name="stores.zrf").start()


def test_stores_of_the_set_up(position: forthvm.Position) -> None:
    assert position.stores == {"White": {"Tent": 2}}


def test_stores_after_a_capture_and_a_drop(position: forthvm.Position) -> None:
    position.push("Man a1 x b1")
    assert position.stores == {"White": {"Tent": 2}, "Black": {"Man": 1}}
    position.push("Black Man c1")
    assert position.stores == {"White": {"Tent": 2}}
    position.push("White Tent a1")
    assert position.stores == {"White": {"Tent": 1}}


def test_stores_below_the_board(position: forthvm.Position) -> None:
    position.push("Man a1 x b1")
    assert "Store of White: 2 Tent\nStore of Black: Man" in str(position)


def test_stores_below_the_picture(position: forthvm.Position) -> None:
    assert "Store of White: 2 Tent" in render.svg(position)


def test_a_script_has_no_stores() -> None:
    assert loaded("breakthrough").start().stores == {}
