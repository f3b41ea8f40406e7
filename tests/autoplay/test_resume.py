"""Interrupted matches: the missing games are played afterwards, and no game twice."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from forthvm.autoplay import GameRow, Match, MatchError, Store, StoreError
from forthvm.core.loading.library import games_folder
from forthvm.game import load
from tests.autoplay.matches import settings_of, spec, without_times
from tests.autoplay.players import PausesAfterMoves
from tests.kit.processes import FORTHVM, start
from tests.learn.network.models import random_network
from tests.systems import needs_signals

MATCH = ["autoplay", "tictactoe", "--engine", "A=random", "--engine", "B=first", "--quiet"]

# Handles SIGINT even if the test runner was started with SIGINT ignored.
HANDLES_SIGINT = """import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("forthvm", run_name="__main__", alter_sys=True)
"""


def recorded_games(path: Path) -> int:
    try:
        with Store.open(path) as store:
            return len(store.numbers())
    except StoreError:
        return 0


def rows_of_valid_file(path: Path) -> list[GameRow]:
    """Return all games without times, after checking the integrity of the database."""
    with Store.open(path) as store:
        assert store._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return without_times(list(store.games()))


def test_match_continues_only_with_its_networks(tmp_path: Path) -> None:
    """A network that an entrant names, and one beside the game, which appears later."""
    script = shutil.copy(games_folder() / "tictactoe" / "tictactoe.4th", tmp_path / "t.4th")
    game = load(script)

    def write(name: str, seed: int) -> None:
        random_network(game, hidden=0, seed=seed).write(tmp_path / name)

    write("mine.net", 1)
    path = tmp_path / "m.db"
    named = f"negamax:depth=1,net={tmp_path / 'mine.net'}"
    with Match.create(settings_of(named, "first", games=2, game=script), path) as match:
        match.run()
    for name, seed in (("mine.net", 2), ("t.net", 1)):
        write(name, seed)
        with pytest.raises(MatchError, match=f"{name} is not what it was"):
            Match.resume(path, games=4, confirm=lambda *_: True)
        write("mine.net", 1)
    (tmp_path / "t.net").unlink()
    with Match.resume(path, games=4, confirm=lambda *_: True) as match:
        match.run()
        assert len(match.rows) == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("workers", "games", "most_kills"),
    [("threads", 1000, 20), pytest.param("processes", 200, 4, marks=pytest.mark.windows)],
)
def test_kills_at_random_moments_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: str, games: int, most_kills: int
) -> None:
    """The games of a match that is killed many times equal those of one without interruption."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    path, uninterrupted = tmp_path / "killed.db", tmp_path / "uninterrupted.db"
    options = ["--jobs", "2", "--workers", workers, "--quiet"]
    match = ["autoplay", "tictactoe", "--engine", f"A={spec(PausesAfterMoves)}"]
    match += ["--engine", "B=first", *options, "-n", str(games), "--out"]
    resume = ["autoplay", "--resume", str(path), "--trust", *options]
    rng = random.Random(20)
    kills, counts = 0, [0]
    # A thousand games are so fast that a run could end before it is killed.  Therefore A pauses
    # after 100 moves, which are about 37 games, because A has 2.65 moves in a game.
    monkeypatch.setenv("FORTHVM_TEST_MOVES", "100")
    while kills < most_kills:
        process = start(*FORTHVM, *(resume if path.exists() else [*match, str(path)]))
        before = counts[-1]
        # The number of games before the kill is random, and so small that games are left for all
        # runs; some runs are killed during loading, before their first game.
        target = before + rng.choice([0, 0, rng.randrange(1, 30)])
        loading_time = rng.uniform(0.02, 0.5)
        until = time.monotonic() + 60
        while process.poll() is None and recorded_games(path) < target and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(loading_time if target == before else rng.uniform(0, 0.02))
        process.kill()
        # The pipes close when the last worker has ended.
        _, err = process.communicate(timeout=60)
        assert process.returncode == (1 if os.name == "nt" else -signal.SIGKILL), err
        kills += 1
        counts.append(recorded_games(path))
        assert counts[-1] >= before
    monkeypatch.delenv("FORTHVM_TEST_MOVES")
    assert 0 < counts[-1] < games
    process = start(*FORTHVM, "autoplay", "--resume", str(path), "--trust", "--quiet", "--json")
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert json.loads(out)["counted"] == games
    start(*FORTHVM, *match, str(uninterrupted)).communicate()
    assert rows_of_valid_file(path) == rows_of_valid_file(uninterrupted)
    assert len(rows_of_valid_file(path)) == games


@pytest.mark.slow
def test_worker_processes_end_with_a_killed_parent(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    process = start(
        *FORTHVM, *MATCH, "-n", "5000", "--jobs", "2", "--workers", "processes", "--out", str(path)
    )
    try:
        until = time.monotonic() + 30
        while recorded_games(path) < 5 and time.monotonic() < until:
            time.sleep(0.02)
        assert recorded_games(path) >= 5
    finally:
        process.kill()
        # The pipes close when the last worker has ended; otherwise this would wait forever.
        process.communicate(timeout=20)
    assert rows_of_valid_file(path)


@pytest.mark.slow
@needs_signals
def test_ctrl_c_keeps_recorded_games_and_prints_how_to_continue(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    command = [sys.executable, "-c", HANDLES_SIGINT, *MATCH[:-1], "-n", "3000", "--jobs", "2"]
    process = start(*command, "--out", path)
    until = time.monotonic() + 30
    while recorded_games(path) < 20 and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    recorded = len(rows_of_valid_file(path))
    assert f"interrupted: {recorded} of 3,000 games recorded" in err
    assert f"forthvm autoplay --resume {path}" in err
    assert "A" in out


@pytest.mark.slow
@needs_signals
@pytest.mark.parametrize("moment", [0.5, 0.8, 1.1])
def test_ctrl_c_at_a_terminal_ends_starting_workers(tmp_path: Path, moment: float) -> None:
    """Ctrl-C sends the signal to all processes of the group, also to workers that just started."""
    command = [sys.executable, "-c", HANDLES_SIGINT, *MATCH, "-n", "5000", "--workers", "processes"]
    process = subprocess.Popen(
        [*command, "--jobs", "2", "--out", str(tmp_path / "a.db")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(moment)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    # -SIGINT: the signal arrived before the command had installed its handler.
    assert process.returncode in {130, -signal.SIGINT}
    if process.returncode == 130:
        assert "Traceback" not in err


@pytest.mark.slow
def test_match_can_be_extended(tmp_path: Path) -> None:
    """The extended match has the same games as a match that was longer from the beginning."""
    settings = settings_of("random", "first", games=6)
    with Match.create(settings, tmp_path / "a.db") as match:
        match.run()
    with Match.resume(tmp_path / "a.db") as match:
        assert match.missing_games == 0
    from forthvm.cli import main

    assert main(["autoplay", "--resume", str(tmp_path / "a.db"), "-n", "10", "--quiet"]) == 0
    with Match.create(replace(settings, games=10), tmp_path / "b.db") as match:
        match.run()
    assert rows_of_valid_file(tmp_path / "a.db") == rows_of_valid_file(tmp_path / "b.db")
    assert main(["autoplay", "--resume", str(tmp_path / "a.db"), "-n", "4", "--quiet"]) == 1


@pytest.mark.slow
def test_openings_are_stored_with_the_match(tmp_path: Path) -> None:
    """Resuming needs only the results file."""
    book = tmp_path / "book.txt"
    book.write_text("b2; a1\nc3\n", encoding="utf-8")
    from forthvm.cli import main

    path = tmp_path / "a.db"
    args = [*MATCH, "-n", "8", "--openings", str(book), "--opening-plies", "1"]
    assert main([*args, "--out", str(path)]) == 0
    rows = rows_of_valid_file(path)
    assert rows[0].opening[:2] == (("X", "X mark b2"), ("O", "O mark a1"))
    assert len(rows[0].opening) == 3
    assert rows[2].opening[0] == ("X", "X mark c3")
    book.unlink()
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM games WHERE id IN (3, 6, 8)")
    with Match.resume(path) as match:
        match.run()
    assert rows_of_valid_file(path) == rows
