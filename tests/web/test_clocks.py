"""Clocks of players."""

from __future__ import annotations

import json

import pytest

from forthvm.web.table.clocks import Clocks, TimeControl
from tests.kit.cases import each_case
from tests.kit.messages import raises


@pytest.fixture
def clocks() -> Clocks:
    """One minute for each, and two seconds after each turn."""
    return Clocks(TimeControl(60.0, 2.0), ("White", "Black"))


@each_case(
    ("text", "initial", "increment"),
    [("5+3", 300, 3), ("10", 600, 0), (" 0.5+0 ", 30, 0), ("1440+3600", 86400, 3600)],
)
def test_time_controls(text: str, initial: float, increment: float) -> None:
    assert TimeControl.parse(text) == TimeControl(initial, increment)


@each_case("text", ["", "5+", "+3", "0", "0+5", "-5", "1441", "5+3601", "5 3", "inf"])
def test_invalid_time_controls(text: str) -> None:
    with raises(ValueError, "clocks.not-a-time-such"):
        TimeControl.parse(text)


def test_the_text_of_a_time_control_is_read_back() -> None:
    for text in ("5+3", "0.5+0", "90+30"):
        assert str(TimeControl.parse(text)) == text


def test_only_the_clock_of_the_player_to_move_runs(clocks: Clocks) -> None:
    clocks.run("White", 100.0)
    assert clocks.all_remaining(110.0) == {"White": 50.0, "Black": 60.0}


def test_time_is_added_after_a_turn(clocks: Clocks) -> None:
    clocks.run("White", 100.0)
    clocks.run("White", 105.0)  # a partial move: the turn goes on
    clocks.run("Black", 110.0, turn_ended=True)
    assert clocks.all_remaining(111.0) == {"White": 52.0, "Black": 59.0}


def test_no_time_is_added_after_taking_back(clocks: Clocks) -> None:
    clocks.run("White", 100.0)
    clocks.run("Black", 110.0)
    assert clocks.remaining("White", 200.0) == 50.0


def test_chance_has_no_clock(clocks: Clocks) -> None:
    clocks.run("White", 0.0)
    clocks.run("?Dice", 10.0, turn_ended=True)
    assert clocks.running is None
    assert clocks.all_remaining(1000.0) == {"White": 52.0, "Black": 60.0}


def test_a_clock_runs_out(clocks: Clocks) -> None:
    clocks.run("White", 0.0)
    assert clocks.expired(59.9) is None
    assert clocks.expired(60.0) == "White"
    assert clocks.remaining("White", 70.0) == 0.0


def test_saved_clocks_stand_still(clocks: Clocks) -> None:
    clocks.run("White", 0.0)
    read = Clocks.from_json(json.loads(json.dumps(clocks.as_json(20.0))))
    assert read.control == clocks.control
    assert read.all_remaining(1000.0) == {"White": 40.0, "Black": 60.0}
