"""Creation of results files: exclusive, complete, and independent of leftover files."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from forthvm.autoplay import Match, Store, StoreError
from forthvm.autoplay.results.store import FileTakenError
from forthvm.cli import main
from tests.autoplay.matches import settings_of
from tests.kit.commands import Cli
from tests.kit.messages import raises
from tests.kit.processes import run, start
from tests.systems import needs_links

TWO_ENGINES = ["--engine", "A=random", "--engine", "B=first", "--quiet"]


def leave_killed_match(path: Path) -> None:
    """Write the files of a killed match; SQLite's log, not the results file, has its games."""
    script = (
        "import os, sys, pathlib; from autoplay.results import duel; "
        "from forthvm.autoplay import Store; "
        "store = Store.create(pathlib.Path(sys.argv[1]), {}); "
        "[store.record(duel(number, 1)) for number in range(1, 4)]; os._exit(9)"
    )
    tests = str(Path(__file__).resolve().parents[1])
    run(sys.executable, "-c", script, path, folder=tests)
    assert path.with_name(f"{path.name}-wal").exists()


@pytest.mark.slow
def test_log_of_a_deleted_file_is_not_read_into_a_new_match(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    leave_killed_match(path)
    path.unlink()
    with raises(FileTakenError, "store.left-over-log"):
        Store.create(path, {})
    assert not path.exists()
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink()
    with Store.create(path, {}) as store:
        assert store.numbers() == set()


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
def test_leftover_sqlite_files_are_refused(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "a.db"
    path.touch()
    path.with_name(path.name + ending).write_bytes(b"left")
    with raises(FileTakenError, "store.left-over"):
        Store.create(path, {})
    with raises(StoreError, "store.empty"):
        Store.open(path)


@pytest.mark.slow
def test_default_name_avoids_leftover_files(in_folder: Path) -> None:
    leave_killed_match(in_folder / "tictactoe.autoplay.db")
    (in_folder / "tictactoe.autoplay.db").unlink()
    assert main(["autoplay", "tictactoe", *TWO_ENGINES, "-n", "2"]) == 0
    with Store.open(in_folder / "tictactoe.autoplay-2.db") as store:
        assert store.numbers() == {1, 2}


def test_log_of_an_existing_file_is_read(tmp_path: Path) -> None:
    leave_killed_match(tmp_path / "a.db")
    with Store.open(tmp_path / "a.db") as store:
        assert store.numbers() == {1, 2, 3}


def test_only_one_of_several_processes_creates_a_file(tmp_path: Path) -> None:
    def create(number: int) -> int | None:
        try:
            with Store.create(tmp_path / "a.db", {"game": str(number)}):
                return number
        except StoreError:
            return None

    for _ in range(20):
        with ThreadPoolExecutor(8) as pool:
            creators = [number for number in pool.map(create, range(8)) if number is not None]
        with Store.open(tmp_path / "a.db") as store:
            assert [store.match()["game"]] == [str(number) for number in creators]
        (tmp_path / "a.db").unlink()
        # Windows does not remove the lock while another thread tries it.
        left = {"a.db-lock"} if os.name == "nt" else set()
        assert {path.name for path in tmp_path.iterdir()} <= left


@needs_links
def test_symbolic_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.db").symlink_to(tmp_path / "elsewhere")
    with raises(FileTakenError, "store.exists"):
        Store.create(tmp_path / "a.db", {})
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.slow
def test_two_matches_with_the_default_name_get_two_files(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "forthvm", "autoplay", "tictactoe", *TWO_ENGINES]
    command += ["-n", "40", "--jobs", "1", "--workers", "threads", "--seed"]
    processes = [start(*command, seed, folder=tmp_path) for seed in (1, 2)]
    for process in processes:
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    seeds = set()
    for name in ("tictactoe.autoplay.db", "tictactoe.autoplay-2.db"):
        with Store.open(tmp_path / name) as store:
            assert store.numbers() == set(range(1, 41))
            seeds.add(store.match()["seed"])
    assert seeds == {1, 2}
    assert len(list(tmp_path.iterdir())) == 2


def test_match_is_played_by_one_process_at_a_time(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "a.db"
    with Match.create(settings_of("random", "first", games=4), path) as match:
        match.run(jobs=1)
        assert "another process plays this match" in cli.err("autoplay", "--resume", path, status=1)
        assert cli("report", path).status == 0  # reading needs no lock
    with Match.resume(path) as match, raises(StoreError, "store.another-process"):
        Match.resume(path)
    assert cli("autoplay", "--resume", path, "--quiet").status == 0
    assert [each.name for each in tmp_path.iterdir()] == ["a.db"]


@pytest.mark.slow
def test_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    leave_killed_match(tmp_path / "a.db")
    assert (tmp_path / "a.db-lock").exists()
    Store.open(tmp_path / "a.db", play=True).close()
    assert not (tmp_path / "a.db-lock").exists()


def test_finished_game_is_on_the_disk(tmp_path: Path) -> None:
    """With synchronous mode 2 (FULL), SQLite waits for the disk at the end of each transaction."""
    with Store.create(tmp_path / "a.db", {}) as store:
        assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    with Store.open(tmp_path / "a.db") as store:
        assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_failed_creation_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forthvm.autoplay.results.store._SCHEMA", ("CREATE TABLE",))
    with raises(StoreError, "store.cannot-write"):
        Store.create(tmp_path / "a.db", {})
    assert list(tmp_path.iterdir()) == []
