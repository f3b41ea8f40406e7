"""Clocks: the time passed to an engine, and the fall of a flag."""

from __future__ import annotations

from pathlib import Path

from forthvm.autoplay import Adjudication, TimeControl
from forthvm.autoplay.match.clock import Clock
from forthvm.engines import Limits
from forthvm.system.command_line import join_words
from tests.autoplay.matches import played, settings_of, spec
from tests.autoplay.players import FailsInNewGame
from tests.engines.programs import command
from tests.kit.cases import each_case
from tests.kit.messages import raises


@each_case(
    ("text", "control"),
    [
        ("60", TimeControl(base=60)),
        ("60+0.5", TimeControl(base=60, increment=0.5)),
        ("40/300", TimeControl(base=300, moves=40)),
        (".5+.01", TimeControl(base=0.5, increment=0.01)),
    ],
)
def test_clocks_are_parsed(text: str, control: TimeControl) -> None:
    assert TimeControl.parse(text) == control


@each_case("text", ["", "0", "+1", "1:00", "60+", "x", "-3", "40/", "1e3"])
def test_invalid_clocks_are_refused(text: str) -> None:
    with raises(ValueError, "autoplay-clock.is-not-a-clock"):
        TimeControl.parse(text)


def test_clock_subtracts_time_and_adds_the_increment() -> None:
    clock = Clock(TimeControl(base=10, increment=2))
    assert clock.spend(4)
    assert clock.remaining == 8  # 10 - 4 + 2
    assert clock.spend(8)
    assert clock.remaining == 2


def test_flag_falls_after_the_margin() -> None:
    clock = Clock(TimeControl(base=1, margin=0.25))
    assert not clock.spend(1.5)
    assert Clock(TimeControl(base=1, margin=0.25)).spend(1.25)
    assert not Clock(TimeControl(base=1)).spend(1.2)  # a margin of 0.1 is allowed


def test_time_is_added_after_a_number_of_moves() -> None:
    clock = Clock(TimeControl(base=10, moves=2))
    assert clock.spend(3)
    assert clock.remaining == 7
    assert clock.spend(3)
    assert clock.remaining == 14  # 4 s were left, and 10 s are added after every second move


def test_allotted_time_is_at_most_the_remaining_time() -> None:
    clock = Clock(TimeControl(base=5, increment=60))
    assert clock.limits.time is not None
    assert clock.limits.time <= 4.5
    clock.remaining = 0.0
    assert clock.limits.time == 0.001  # 0 would mean no limit


def test_last_moves_before_the_control_share_the_remaining_time() -> None:
    clock = Clock(TimeControl(base=40, moves=4))
    assert clock.limits.time == 8  # 40 s shared by the four remaining moves and one in reserve
    clock.moves, clock.remaining = 3, 10.0  # three moves played, 10 s left
    assert clock.limits.time == 5  # 10 s shared by the last move and one in reserve


def test_time_per_move_has_a_margin() -> None:
    clock = Clock(TimeControl(move=2))
    assert clock.limits.time == 2
    assert clock.max_seconds == 4  # 2 s, and a default margin of 1 s plus half of the time
    assert clock.spend(3.9)
    assert not clock.spend(4.1)
    assert Clock(TimeControl(move=2, margin=0)).max_seconds == 2


def test_without_limit_no_flag_falls() -> None:
    clock = Clock(TimeControl())
    assert clock.limits.time is None
    assert clock.max_seconds is None
    assert clock.spend(1e9)


def test_engines_are_told_their_clock() -> None:
    clock = Clock(TimeControl(base=10, moves=40))
    assert clock.spend(1)
    assert clock.limits == Limits(time=0.3, clock=9, moves=39)
    clock = Clock(TimeControl(base=12, increment=0.5))
    assert clock.limits == Limits(time=0.8, clock=12, increment=0.5)


def test_programs_are_told_their_clock(tmp_path: Path) -> None:
    log = tmp_path / "log"
    engine = f"ugi:cmd='{join_words(command('log', log))}',clock=yes"
    settings = settings_of(engine, "first", games=1, time=TimeControl(base=12, increment=0.5))
    played(settings, tmp_path / "a.db", workers="threads")
    searches = [line for line in log.read_text(encoding="utf-8").split("\n") if line[:3] == "go "]
    assert searches[0] == "go p1time 12000 p2time 12000 p1inc 500 p2inc 500"
    assert len(searches) > 1


def test_programs_are_ready_before_the_clock_runs(tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = f"ugi:{join_words(command('log', log))}"
    adjudication = Adjudication(max_plies=1)
    settings = settings_of("first", program, games=1, adjudication=adjudication)
    played(settings, tmp_path / "a.db", workers="threads")
    lines = log.read_text(encoding="utf-8").splitlines()
    assert lines == ["ugi", "uginewgame", "isready", "quit"]  # it was never to move


def test_engines_that_do_not_get_ready_forfeit(tmp_path: Path) -> None:
    (row,) = played(
        settings_of("first", spec(FailsInNewGame), games=1), tmp_path / "a.db", workers="threads"
    )
    assert row.reason == ("forfeit: B (O): engine 'engine' failed at ply 0: ValueError: no book")


def test_programs_that_do_not_start_forfeit(tmp_path: Path) -> None:
    settings = settings_of("first", f"ugi:{join_words(command('dies-at-once'))}", games=1)
    (row,) = played(settings, tmp_path / "a.db", workers="threads")
    assert row.reason.startswith("forfeit: B (O): program 'python")
    assert row.plies == 0
