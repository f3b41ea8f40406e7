"""Time: what an engine is told, and when its flag falls."""

from __future__ import annotations

import pytest

from forthvm.autoplay.match.clock import Clock, TimeControl


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("60", TimeControl(base=60)),
        ("60+0.5", TimeControl(base=60, increment=0.5)),
        ("40/300", TimeControl(base=300, moves=40)),
        (".5+.01", TimeControl(base=0.5, increment=0.01)),
    ],
)
def test_clocks_are_read(text: str, control: TimeControl) -> None:
    assert TimeControl.parse(text) == control


@pytest.mark.parametrize("text", ["", "0", "+1", "1:00", "60+", "x", "-3", "40/", "1e3"])
def test_invalid_clocks_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a clock|empty"):
        TimeControl.parse(text)


def test_a_clock_runs_down_and_is_wound_up_by_the_increment() -> None:
    clock = Clock(TimeControl(base=10, increment=2))
    assert clock.spend(4)
    assert clock.remaining == 8  # 10 - 4 + 2
    assert clock.spend(8)
    assert clock.remaining == 2


def test_a_flag_falls_beyond_the_margin() -> None:
    clock = Clock(TimeControl(base=1, margin=0.25))
    assert not clock.spend(1.5)
    assert Clock(TimeControl(base=1, margin=0.25)).spend(1.25)
    assert not Clock(TimeControl(base=1)).spend(1.2)  # 0.1 is forgiven


def test_after_so_many_moves_the_time_comes_again() -> None:
    clock = Clock(TimeControl(base=10, moves=2))
    assert clock.spend(3)
    assert clock.remaining == 7
    assert clock.spend(3)
    assert clock.remaining == 14  # 4 left and 10


def test_an_engine_is_never_told_more_than_it_has() -> None:
    clock = Clock(TimeControl(base=5, increment=60))
    assert clock.allotted is not None
    assert clock.allotted <= 4.5
    clock.remaining = 0.0
    assert clock.allotted == 0.001  # no time at all would mean: no limit


def test_the_last_moves_before_the_control_share_what_is_left() -> None:
    clock = Clock(TimeControl(base=40, moves=4))
    assert clock.allotted == 8  # four to go, and one in reserve
    clock.moves, clock.remaining = 3, 10.0
    assert clock.allotted == 5


def test_a_time_for_each_move() -> None:
    clock = Clock(TimeControl(move=2))
    assert clock.allotted == 2
    assert clock.longest == 4  # a second, and half of its time
    assert clock.spend(3.9)
    assert not clock.spend(4.1)
    assert Clock(TimeControl(move=2, margin=0)).longest == 2


def test_without_a_limit_nothing_falls() -> None:
    clock = Clock(TimeControl())
    assert clock.allotted is None
    assert clock.longest is None
    assert clock.spend(1e9)
