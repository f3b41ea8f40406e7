"""Engines that end the program, and tracebacks of engines in Python: stored and displayed."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from forthvm.autoplay import GameRow, Match, Store
from forthvm.autoplay.results.rows import COLUMNS
from forthvm.autoplay.untrusted_text import MAX_LINE_LENGTH, MAX_LINES
from tests.autoplay.matches import played, settings_of, spec
from tests.autoplay.players import (
    Exits,
    ExitsInClose,
    ExitsProcess,
    Illegal,
    Raises,
    RaisesControlCharacters,
    RaisesKeyboardInterrupt,
    RaisesLongText,
    Recurses,
    ReturnsExitingInfo,
)
from tests.kit.commands import Cli


def forfeited(rows: list[GameRow]) -> bool:
    """Whether entrant A forfeited all games."""
    return all(row.reason.startswith("forfeit: A (") and not row.void for row in rows)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("engine", "reason"),
    [
        (spec(Exits), "engine 'Exits' tried to end the process at ply"),
        (spec(Exits), "SystemExit: 3"),
        (spec(RaisesKeyboardInterrupt), "KeyboardInterrupt"),
        (
            "negamax:depth=1,evaluator=tests.autoplay.players:exits",
            "evaluator 'exits', called by engine 'negamax' from the position at ply",
        ),
    ],
)
@pytest.mark.parametrize("workers", ["threads", pytest.param("processes", marks=pytest.mark.slow)])
def test_engine_that_calls_sys_exit_forfeits(
    tmp_path: Path, engine: str, reason: str, workers: str
) -> None:
    rows = played(settings_of(engine, "first", games=4), tmp_path / "a.db", workers=workers)
    assert len(rows) == 4
    assert forfeited(rows)
    assert all(reason in row.reason for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("at", ["init", "play", "close"])
def test_engine_that_ends_its_process_forfeits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    settings = settings_of(spec(ExitsProcess, at=at), "first", games=2)
    with Match.create(settings, tmp_path / "a.db") as match:
        monkeypatch.setenv("FORTHVM_TEST_EXIT", "yes")
        match.run(jobs=2)
        assert len(match.rows) == 2
        assert forfeited(match.rows)
        assert all("its worker ended with status 0" in row.reason for row in match.rows)


@pytest.mark.slow
def test_evaluator_that_ends_the_process_forfeits(tmp_path: Path) -> None:
    """Engines with an evaluator in Python run in processes."""
    settings = settings_of(
        "negamax:depth=1,evaluator=tests.autoplay.players:exits_process", "first", games=2
    )
    rows = played(settings, tmp_path / "a.db", jobs=1)
    assert forfeited(rows)
    assert all("its worker ended with status 7" in row.reason for row in rows)


def test_sys_exit_in_close_is_a_fault(tmp_path: Path) -> None:
    """The result of the game is valid, and the failure is recorded as a fault."""
    rows = played(
        settings_of(spec(ExitsInClose), "first", games=2), tmp_path / "a.db", workers="threads"
    )
    assert [row.reason.partition(":")[0] for row in rows] == ["OnIsGameOver", "OnIsGameOver"]
    assert [row.faults for row in rows] == [
        ("A's engine failed when it was closed: SystemExit: 4",)
    ] * 2
    assert "in close" in rows[0].traceback


def test_info_that_calls_sys_exit_does_not_end_the_game(tmp_path: Path) -> None:
    rows = played(
        settings_of(spec(ReturnsExitingInfo), "first", games=2),
        tmp_path / "a.db",
        workers="threads",
    )
    assert [row.reason.partition(":")[0] for row in rows] == ["OnIsGameOver", "OnIsGameOver"]


# --- tracebacks ----------------------------------------------------------------------------------


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Return a results file with two games, in which an engine raised control characters."""
    path = tmp_path / "a.db"
    played(settings_of(spec(RaisesControlCharacters), "first", games=2), path, workers="threads")
    return path


def test_traceback_begins_with_the_engines_own_code(results: Path) -> None:
    with Store.open(results) as store:
        rows = list(store.games())
    lines = rows[0].traceback.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1].endswith(", in play")
    assert "players.py" in lines[1]
    assert lines[2].strip() == "return self._raise_error(position)"
    assert any(line.endswith(", in _raise_error") for line in lines)
    assert lines[-1] == r"ValueError: <b>\x1b[31m0</b>"


@pytest.mark.parametrize("engine", [Illegal, RaisesKeyboardInterrupt, Raises])
def test_only_exceptions_have_a_traceback(tmp_path: Path, engine: type[object]) -> None:
    rows = played(settings_of(spec(engine), "first", games=2), tmp_path / "a.db", workers="threads")
    assert all(bool(row.traceback) == (engine is not Illegal) for row in rows)


@pytest.mark.parametrize("engine", [RaisesLongText, Recurses])
def test_traceback_is_shortened(tmp_path: Path, engine: type[object]) -> None:
    rows = played(settings_of(spec(engine), "first", games=1), tmp_path / "a.db", workers="threads")
    lines = rows[0].traceback.splitlines()
    assert len(lines) <= MAX_LINES
    assert max(map(len, lines)) <= MAX_LINE_LENGTH
    assert lines[0] == "Traceback (most recent call last):"
    if engine is RaisesLongText:
        assert any("lines left out" in line for line in lines)


def test_replay_shows_the_traceback(results: Path, cli: Cli) -> None:
    out = cli.out("replay", results, "1", "--brief")
    assert "Traceback (most recent call last):\n" in out
    assert "ValueError: <b>\\x1b[31m0</b>\n" in out
    assert json.loads(cli.out("replay", results, "1", "--json"))["traceback"].startswith(
        "Traceback"
    )


@pytest.mark.parametrize("columns", ["60", "100"])
def test_report_shows_the_traceback(
    results: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    out = cli.out("report", results)
    assert "\ntraceback of game 1:\n" in out
    assert "\ntraceback of game 2:\n" in out  # it contains another ply
    assert "\n  ValueError: <b>\\x1b[31m0</b>\n" in out
    assert max(map(len, out.splitlines())) <= int(columns)
    tracebacks = json.loads(cli.out("report", results, "--json"))["tracebacks"]
    assert [(each["game"], each["games"]) for each in tracebacks] == [(1, 1), (2, 1)]


def test_page_escapes_the_traceback(results: Path, cli: Cli) -> None:
    out = cli.out("report", results, "--html", "-")
    assert r"ValueError: \u003cb>\\x1b[31m0\u003c/b>" in out
    assert "<b>" not in out.partition("<script")[0]


def test_equal_tracebacks_are_shown_once(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "a.db"
    played(settings_of(spec(Raises), "first", games=6), path, workers="threads")
    assert "\ntraceback of game 1, the same in 6 games:\n" in cli.out("report", path)


# --- files of other versions ---------------------------------------------------------------------


def remove_traceback_column(path: Path) -> None:
    """Remove the column that files of earlier versions lack."""
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE games DROP COLUMN traceback")
    connection.close()


def test_old_files_are_read_and_resumed(results: Path, cli: Cli) -> None:
    remove_traceback_column(results)
    with Store.open(results) as store:
        assert [row.traceback for row in store.games()] == ["", ""]
        assert store.game(1) is not None
    assert "Traceback" not in cli.out("report", results)
    with Match.resume(results, games=4, confirm=lambda *_: True) as match:
        match.run(workers="threads")
    with Store.open(results) as store:
        assert [bool(row.traceback) for row in store.games()] == [False, False, True, True]


def test_earlier_version_can_write_to_a_new_file(results: Path) -> None:
    columns = ", ".join(name for name in COLUMNS if name not in {"id", "traceback"})
    with sqlite3.connect(results) as connection:
        connection.execute(
            f"INSERT INTO games (id, {columns}) SELECT 3, {columns} FROM games WHERE id = 1"
        )
    connection.close()
    with Store.open(results) as store:
        row = store.game(3)
    assert row.traceback == ""


def test_control_characters_in_a_file_are_escaped(results: Path) -> None:
    with sqlite3.connect(results) as connection:
        connection.execute("UPDATE games SET traceback = ?", ("a\x1b[2J\n" * 10_000 + "\u202e",))
    connection.close()
    with Store.open(results) as store:
        row = store.game(1)
        assert row.traceback.isascii() or "…" in row.traceback
        assert "\x1b" not in row.traceback
        assert len(row.traceback.splitlines()) <= MAX_LINES
        assert store.record(replace(row, id=1000, traceback="\x07"))
        escaped = store.game(1000)
    assert escaped.traceback == r"\x07"
