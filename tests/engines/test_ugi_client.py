"""Engines that are other programs: lines sent, lines received, failures."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from forthvm.engines import (
    EngineOptionError,
    Info,
    Limits,
    analyse,
    choose_move,
)
from forthvm.engines.protocols import ProgramError, UgiEngine
from forthvm.game import Position
from tests.engines.programs import EngineFactory, command
from tests.kit.games import loaded, play
from tests.kit.messages import raises
from tests.kit.processes import start
from tests.systems import ended_by, is_running

pytestmark = pytest.mark.usefixtures("plain_programs")
LONG = 600.0
"""A limit in seconds that no test reaches: a test that ends detected the event without it."""

PARENT_ENVIRONMENT = dict(os.environ)
"""The environment of programs that import forthvm; it preloads sanitizers in builds with them."""


def wait_until_gone(pid: int) -> None:
    """Wait for the end of a process, which may end some time after a signal."""
    while is_running(pid):
        time.sleep(0.01)


# --- success -------------------------------------------------------------------------------------


def test_program_plays(make_engine: EngineFactory, start: Position) -> None:
    engine = make_engine("good")
    reports: list[Info] = []
    start.push("b2")
    result = choose_move(engine, start, Limits(depth=2), report=reports.append)
    assert str(result.move) == "O mark a3"
    assert [str(move) for move in result.pv] == ["O mark a3", "X mark c1"]
    assert (result.score, result.depth, result.nodes) == (15, 2, 40)
    (info,) = reports
    assert (info.best, info.score, info.nodes, info.time) == ("O mark a3", 15, 40, 0.003)
    assert info.pv == ("O mark a3", "X mark c1")
    assert engine.identity == "Sample 1.0"
    assert engine.options["Style"].choices == ("calm", "wild")
    assert engine.query("p1turn") == "true"


def test_one_process_plays_several_games(make_engine: EngineFactory, start: Position) -> None:
    engine = make_engine("good")
    pids = set()
    for _ in range(2):
        position = start.copy()
        engine.new_game()
        while position.result is None:
            position.push(choose_move(engine, position).move)
            pids.add(engine.pid)
        assert position.result.winners == ("X",)  # the program plays the first free square
    assert len(pids) == 1


def test_program_with_unexpected_or_large_output(
    make_engine: EngineFactory, start: Position
) -> None:
    for mode in ("babbles", "noisy"):
        assert str(choose_move(make_engine(mode), start).move) == "X mark a3"


def sent_lines(log: Path) -> list[str]:
    return log.read_text(encoding="utf-8").splitlines()


LIMITS: list[tuple[dict[str, object], Limits | None, str]] = [
    ({}, None, "go movetime 1000"),
    ({}, Limits(time=0.25), "go movetime 250"),
    ({}, Limits(time=0), "go movetime 1"),
    ({}, Limits(depth=5, nodes=7, time=2), "go depth 5 nodes 7 movetime 2000"),
    ({"time": 3}, Limits(depth=5), "go depth 5 movetime 3000"),
    ({"nodes": "9"}, None, "go nodes 9"),
    ({"infinite": "yes"}, None, "go infinite"),
    ({"infinite": "yes"}, Limits(depth=1), "go depth 1"),
    (
        {"clock": "yes"},
        Limits(time=60, increment=0.5),
        "go p1time 60000 p2time 60000 p1inc 500 p2inc 500",
    ),
    # a thirtieth of 12 s, and four fifths of the increment
    ({}, Limits(clock=12, increment=0.5), "go movetime 800"),
    ({"time": 0.5}, Limits(clock=30, increment=0), "go movetime 500"),
    (
        {"clock": "yes"},
        Limits(time=0.8, clock=12, increment=0.5),
        "go p1time 12000 p2time 12000 p1inc 500 p2inc 500",
    ),
    (
        {"clock": "yes"},
        Limits(clock=10, moves=9),
        "go p1time 10000 p2time 10000 p1inc 0 p2inc 0 movestogo 9",
    ),
    ({"clock": "yes"}, None, "go movetime 1000"),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("options", "limits", "line"), LIMITS)
def test_limits_are_sent(
    start: Position,
    tmp_path: Path,
    options: dict[str, object],
    limits: Limits | None,
    line: str,
) -> None:
    log = tmp_path / "log"
    engine = UgiEngine(cmd=command("log", log), **options)
    choose_move(engine, start, limits)
    del engine
    assert sent_lines(log) == [
        *("ugi", "uginewgame", "isready"),
        *("position startpos", "isready", line),
    ]


def test_all_players_are_told_the_clock(tmp_path: Path) -> None:
    log = tmp_path / "log"
    engine = UgiEngine(cmd=command("log", log), clock="yes")
    with pytest.raises(ProgramError):  # its answer is no move of the game
        choose_move(engine, loaded("yonin-shogi").start(), Limits(clock=1))
    del engine
    words = sent_lines(log)[-1].split()
    assert words[1:9:2] == ["p1time", "p2time", "p3time", "p4time"]


def test_positions_and_options_are_sent(
    make_engine: EngineFactory, start: Position, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    options = {
        "option.hash": 32,
        "option.Style": "WILD",
        "option.Ponder": "on",
        "option.Move Overhead": "5",
        "option.Clear": "",
        "option.Book": "a b",
    }
    engine = make_engine("log", log, **options)
    engine.new_game()
    play(start, "b2", "a1")
    choose_move(engine, start)
    start.pop()
    start.push("a3")
    choose_move(engine, start)
    other_start = start.game.start(setup=[("X", "mark", "c1")])
    choose_move(engine, other_start)
    engine.close()
    lines = [line for line in sent_lines(log) if line not in {"isready", "go movetime 1000"}]
    assert lines[:-2] == [
        "ugi",
        "setoption name Hash value 32",
        "setoption name Style value wild",
        "setoption name Ponder value true",
        "setoption name Move Overhead value 5",
        "setoption name Clear",
        "setoption name Book value a b",
        "uginewgame",
        "position startpos moves X_mark_b2 O_mark_a1",
        "position startpos moves X_mark_b2 O_mark_a3",
    ]
    assert lines[-2].startswith("position fen fvm1:")
    assert lines[-1] == "quit"


def test_moves_are_sent_as_squares(make_engine: EngineFactory, tmp_path: Path) -> None:
    log = tmp_path / "log"
    position = play(loaded("breakthrough").start(), "a2a3")
    with pytest.raises(ProgramError):  # the program expects tic-tac-toe
        choose_move(make_engine("log", log, names="squares"), position)
    assert "position startpos moves a2a3" in sent_lines(log)


def test_fen_always_and_never(make_engine: EngineFactory, start: Position, tmp_path: Path) -> None:
    log = tmp_path / "log"
    choose_move(make_engine("log", log, fen="always"), start)
    assert sent_lines(log)[3].startswith("position fen fvm1:")
    other_start = start.game.start(turn="O")
    with raises(EngineOptionError, "ugi-client.fen-always-and-never"):
        choose_move(make_engine("good", fen="never"), other_start)


def test_stop_from_another_thread(make_engine: EngineFactory, start: Position) -> None:
    engine = make_engine("waits", infinite=True, grace=LONG)
    with analyse(engine, start) as analysis:
        assert next(analysis).depth == 2
        assert str(analysis.stop().move) == "X mark a3"


def test_stop_ends_a_search_with_limits(make_engine: EngineFactory, start: Position) -> None:
    engine = make_engine("waits")
    reported = threading.Event()
    stopper = threading.Thread(target=lambda: reported.wait() and engine.stop())
    stopper.start()
    result = choose_move(engine, start, Limits(time=LONG), report=lambda _: reported.set())
    stopper.join()
    assert str(result.move) == "X mark a3"


# --- failures ------------------------------------------------------------------------------------


@pytest.mark.sampled(11)
@pytest.mark.parametrize("mode", ["dies", "exits", "leaves-children"])
@pytest.mark.parametrize("limits", [Limits(time=LONG), Limits(depth=9), Limits(nodes=9), None])
def test_crash_is_detected_under_any_limit(
    make_engine: EngineFactory, start: Position, tmp_path: Path, mode: str, limits: Limits | None
) -> None:
    """Without detection of the crash, the wait would take ten minutes or be endless."""
    engine = make_engine(mode, tmp_path / "log", patience=LONG, grace=LONG, infinite=True)
    with pytest.raises(ProgramError, match=r"ended with|was killed by"):
        choose_move(engine, start, limits)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("options", "limits"),
    [
        ({"patience": LONG}, Limits(time=0.1)),
        ({"patience": LONG}, Limits(clock=3)),
        ({"patience": LONG, "clock": True}, Limits(clock=0.1)),
        ({"patience": 0.1}, Limits(depth=9)),
        ({"patience": 0.1}, Limits(nodes=9)),
    ],
)
def test_hanging_program_is_ended_under_any_limit(
    make_engine: EngineFactory, start: Position, options: dict[str, object], limits: Limits
) -> None:
    engine = make_engine("hangs", grace=0.1, **options)
    with raises(ProgramError, "ugi-client.hangs-no-answer") as caught:
        choose_move(engine, start, limits)
    assert caught.value.returncode == (1 if os.name == "nt" else -9)  # it ignores other signals


def test_program_that_ignores_stop_is_ended(make_engine: EngineFactory, start: Position) -> None:
    engine = make_engine("hangs", infinite=True, grace=0.1)
    analysis = analyse(engine, start)
    assert next(analysis).depth == 2
    with raises(ProgramError, "ugi-client.hangs-no-answer"):
        analysis.stop()


def test_program_that_died_between_moves_is_reported_and_restarted(
    make_engine: EngineFactory, start: Position
) -> None:
    engine = make_engine("then-dies")
    start.push(choose_move(engine, start).move)
    pid = engine.pid
    assert pid is not None
    wait_until_gone(pid)
    with raises(ProgramError, "ugi-client.ended-with-status-between"):
        choose_move(engine, start)
    assert str(choose_move(engine, start).move) == "O mark b3"  # started again


def test_program_that_writes_without_end_between_moves_is_reported(
    make_engine: EngineFactory, start: Position
) -> None:
    engine = make_engine("then-floods", patience=LONG)
    start.push(choose_move(engine, start).move)
    with raises(ProgramError, "ugi-client.wrote-lines"):
        choose_move(engine, start)


def test_next_call_starts_the_program_again(make_engine: EngineFactory, start: Position) -> None:
    engine = make_engine("says", "bestmove nowhere")
    for _ in range(2):
        with raises(ProgramError, "ugi-client.next-call-starts-the-program"):
            choose_move(engine, start)


def test_error_of_the_reporter_ends_the_search(make_engine: EngineFactory, start: Position) -> None:
    engine = make_engine("waits")

    def listen(_info: Info) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.play(start, Limits(time=LONG), report=listen)
    assert engine.pid is None


@pytest.mark.slow
def test_crashes_leave_no_processes_descriptors_or_threads(start: Position, tmp_path: Path) -> None:
    """This includes the children of the programs."""
    log = tmp_path / "children"
    open_files = Path("/dev/fd")
    descriptors = sorted(open_files.iterdir()) if open_files.exists() else []
    threads = threading.active_count()
    for _ in range(15):
        with pytest.raises(ProgramError, match=ended_by(signal.SIGABRT)):
            choose_move(UgiEngine(cmd=command("leaves-children", log)), start)
    children = [int(line) for line in log.read_text().split()]
    assert len(set(children)) == 15
    for child in children:
        wait_until_gone(child)
    assert threading.active_count() <= threads  # a thread of an earlier test may have ended
    if descriptors:
        assert sorted(open_files.iterdir()) == descriptors


def test_unreferenced_engine_ends_its_program(start: Position) -> None:
    engine = UgiEngine(cmd=command("good"))
    choose_move(engine, start)
    pid = engine.pid
    assert pid is not None
    assert is_running(pid)
    del engine
    wait_until_gone(pid)


@pytest.mark.slow
def test_program_that_ignores_signals_ends_with_a_killed_host() -> None:
    with start(sys.executable, "-c", HOST, *command("hangs"), **PARENT_ENVIRONMENT) as host:
        pid = int(host.stdout.readline())
        assert is_running(pid)
        host.kill()
        host.wait()
        wait_until_gone(pid)


HOST = """
import sys, forthvm
from forthvm.engines.protocols import UgiEngine
engine = UgiEngine(cmd=sys.argv[1:], infinite=True)
position = forthvm.load("tictactoe").start()
engine.play(position, report=lambda info: print(engine.pid, flush=True))
"""


def test_close_sends_quit(make_engine: EngineFactory, start: Position, tmp_path: Path) -> None:
    log = tmp_path / "log"
    engine = make_engine("log", log)
    engine.start()
    engine.close()
    engine.close()
    assert sent_lines(log) == ["ugi", "quit"]
    assert str(choose_move(engine, start).move) == "X mark a3"  # started again
