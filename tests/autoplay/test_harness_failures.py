"""Failures outside engines end the match and do not count as games."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pytest

from forthvm.autoplay import Match, MatchError
from forthvm.autoplay.match.game import Task
from forthvm.autoplay.match.pool import WorkerPool, WorkerStartError
from forthvm.autoplay.match.settings import Settings
from forthvm.autoplay.match.worker_process import WorkerProcess
from forthvm.autoplay.results.store import GameRow
from forthvm.game import Move, Position
from tests.autoplay.matches import settings_of, spec
from tests.kit.commands import Cli
from tests.kit.messages import raises
from tests.systems import KILLED, kill_this_process


@pytest.fixture
def failing_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make Python fail at its start, because it does not find its standard library."""
    monkeypatch.setenv("PYTHONHOME", str(tmp_path / "none"))


class Vanishes:
    """An engine whose module exists when the match begins, but not in its workers."""

    def play(self, position: Position) -> Move:
        return position.legal_moves[0]


def check_match_fails(tmp_path: Path, message: str, *, workers: str = "processes") -> None:
    """Check that a match ends with an error and records no game."""
    path = tmp_path / "a.db"
    with Match.create(settings_of("random", "first", games=4), path) as match:
        with pytest.raises(MatchError, match=message):
            match.run(jobs=2, workers=workers)
        assert list(match.store.games()) == []
        assert match.missing_games == 4


@pytest.mark.usefixtures("failing_python")
def test_worker_that_cannot_start_ends_the_match(tmp_path: Path) -> None:
    check_match_fails(tmp_path, "a worker process could not start: it ended with status 1")


def test_missing_interpreter_ends_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    check_match_fails(tmp_path, "a worker process cannot be started")


@pytest.mark.usefixtures("failing_python")
def test_command_exits_with_1_without_statistics(in_folder: Path, cli: Cli) -> None:
    args = ["autoplay", "tictactoe", "--engine", "A=random", "--engine", "B=first", "--quiet"]
    captured = cli(*args, "-n", "4", "--workers", "processes")
    assert captured.status == 1
    assert captured.out == ""
    assert "a worker process could not start" in captured.err
    assert "Traceback" not in captured.err


def _kill_worker(_settings: Settings, _task: Task) -> GameRow:
    kill_this_process()


def _raise_memory_error(_settings: Settings, _task: Task) -> GameRow:
    raise MemoryError("no memory for a snapshot")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("work", "workers", "message"),
    [
        (_kill_worker, "processes", f"{KILLED} at ply 0, while no engine was thinking"),
        (_raise_memory_error, "processes", "MemoryError: no memory for a snapshot"),
        (_raise_memory_error, "threads", "MemoryError: no memory for a snapshot"),
    ],
)
def test_failure_in_a_worker_outside_engines_ends_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: object, workers: str, message: str
) -> None:
    # `work` replaces the default of the parameter `work`, which plays the game.
    for kind in ("_Local", "_Threads"):
        monkeypatch.setattr(f"forthvm.autoplay.match.executors.{kind}.submit.__defaults__", (work,))
    check_match_fails(tmp_path, message, workers=workers)


@pytest.mark.slow
def test_engine_that_workers_cannot_import_does_not_forfeit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Match.create(settings_of(spec(Vanishes), "first", games=2), tmp_path / "a.db") as match:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(
            sys, "path", [path for path in sys.path if not Path(path, "tests").is_dir()]
        )
        with raises(MatchError, "match.unknown-engine"):
            match.run(jobs=1, workers="processes")
        assert list(match.store.games()) == []


def _cannot_be_loaded() -> None:
    """A function that is pickled under the name of a module that the worker cannot import."""


@pytest.mark.slow
def test_task_that_cannot_be_imported_fails_and_the_worker_continues(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with WorkerPool(1) as pool:
        assert pool.submit(os.getpid).result() != os.getpid()
        before = pool.processes
        monkeypatch.setattr(_cannot_be_loaded, "__module__", "no_such_module")
        monkeypatch.setitem(sys.modules, "no_such_module", sys.modules[__name__])
        with pytest.raises(ModuleNotFoundError, match="no_such_module"):
            pool.submit(_cannot_be_loaded).result()
        assert pool.processes == before


@pytest.mark.usefixtures("failing_python")
def test_start_failure_is_raised_by_each_task() -> None:
    with WorkerPool(1) as pool:
        futures = [pool.submit(os.getpid) for _ in range(2)]
        assert [type(future.exception()) for future in futures] == [WorkerStartError] * 2


def test_full_disk_is_a_start_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, limits[1]))
    try:
        with pytest.raises(WorkerStartError, match="File too large"):
            WorkerProcess()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert list(tmp_path.iterdir()) == []


def test_worker_without_report_names_no_seat() -> None:
    """A new status has seat -1; seat 0 would forfeit a game that never began."""
    from forthvm.autoplay.match.worker import SharedStatus

    status, path = SharedStatus.create()
    try:
        assert status.read().seat == -1
    finally:
        status.close()
        path.unlink()
