"""Failing engines, scripts and machines: the match continues, and its file is valid."""

from __future__ import annotations

import os
import random
import sys
import threading
import time
from pathlib import Path

import pytest

from forthvm.autoplay import GameRow, Match, MatchError, Store, StoreError
from forthvm.autoplay.match.executors import make_workers
from forthvm.autoplay.match.pool import WorkerLost, WorkerPool
from forthvm.autoplay.match.running_game import LoadedMatch
from forthvm.autoplay.match.settings import MIN_MEMORY
from forthvm.autoplay.match.worker_process import WorkerProcess
from forthvm.autoplay.report.summary_text import tables
from forthvm.autoplay.statistics.summary import summarise
from forthvm.system.command_line import join_words
from tests.autoplay.matches import Notes, played, settings_of, spec, without_times
from tests.autoplay.players import (
    AllocatesMemory,
    Dies,
    DiesOnce,
    Exits,
    FailsToStart,
    Hangs,
    Illegal,
    MovesThenDies,
    MovesThenHangs,
    Prints,
    Raises,
    RaisesKeyboardInterrupt,
    RaisesUnprintableText,
    Resigns,
    ReturnsFloat,
    Walker,
    write_line,
    write_race,
)
from tests.engines.programs import command
from tests.kit.messages import raises
from tests.systems import KILLED, kill_this_process


@pytest.fixture
def worker_processes(monkeypatch: pytest.MonkeyPatch) -> list[WorkerProcess]:
    """A list to which each worker process is added when it starts."""
    started: list[WorkerProcess] = []
    start = WorkerProcess.__init__

    def start_and_record(process: WorkerProcess) -> None:
        start(process)
        started.append(process)

    monkeypatch.setattr(WorkerProcess, "__init__", start_and_record)
    return started


def is_valid(path: Path) -> bool:
    with Store.open(path) as store:
        result = store._connection.execute("PRAGMA integrity_check").fetchone()
    return bool(result == ("ok",))


def forfeited(rows: list[GameRow], loser: str) -> bool:
    """Whether all games were forfeited by the entrant `loser`."""
    return all(
        row.reason.startswith(f"forfeit: {loser} (")
        and not row.void
        and row.entrant_scores()[loser] == 0
        and sum(row.outcome.values()) == 1
        for row in rows
    )


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("engine", "reason"),
    [
        (Raises, "KeyError: 'no such thought'"),
        (Illegal, "played 'a1 - z9', which is not a legal move"),
        (ReturnsFloat, "played 3.5, which is not a legal move"),
        (Exits, "SystemExit: 3"),
        (RaisesUnprintableText, r"ValueError: \udcff\x00 nul \x1b[31m"),
        (RaisesKeyboardInterrupt, "): KeyboardInterrupt"),
    ],
)
@pytest.mark.parametrize("workers", ["threads", pytest.param("processes", marks=pytest.mark.slow)])
def test_failing_engine_forfeits(
    tmp_path: Path, engine: type[object], reason: str, workers: str
) -> None:
    settings = settings_of(spec(engine), "first", games=4)
    rows = played(settings, tmp_path / "a.db", jobs=2, workers=workers)
    assert forfeited(rows, "A")
    assert all(reason in row.reason for row in rows)
    assert is_valid(tmp_path / "a.db")


def test_engine_failure_can_void_the_game(tmp_path: Path) -> None:
    settings = settings_of(spec(Raises), "first", games=2, on_failure="void")
    for row in played(settings, tmp_path / "a.db", workers="threads"):
        assert row.void
        assert row.outcome == {}
        assert row.reason.startswith("void: A (")


@pytest.mark.parametrize("on_failure", ["forfeit", "void"])
def test_a_resignation_is_a_loss_and_no_failure(tmp_path: Path, on_failure: str) -> None:
    settings = settings_of(spec(Resigns), "first", games=2, on_failure=on_failure)
    for row in played(settings, tmp_path / "a.db", workers="threads"):
        assert row.reason.startswith("resignation: A (")
        assert row.entrant_scores() == {"A": 0, "B": 1}
        assert not row.void
        assert not row.traceback


def test_an_engine_can_resign_against_itself(tmp_path: Path) -> None:
    (row,) = played(settings_of(spec(Resigns), games=1), tmp_path / "a.db", workers="threads")
    assert row.reason == "resignation: A (X)"
    assert row.outcome == {"X": 0, "O": 1}


def test_other_three_players_share_the_win_after_a_resignation(tmp_path: Path) -> None:
    game = write_race(tmp_path)
    engines = [spec(Resigns)] + [spec(Walker, forward=f) for f in (0.5, 0.6, 0.7)]
    (row, *_) = played(
        settings_of(*engines, games=4, game=game), tmp_path / "a.db", workers="threads"
    )
    scores = row.entrant_scores()
    assert scores.pop("A") == 0
    assert list(scores.values()) == pytest.approx([1 / 3] * 3)


def test_self_play_cannot_forfeit(tmp_path: Path) -> None:
    (row,) = played(settings_of(spec(Raises), games=1), tmp_path / "a.db", workers="threads")
    assert row.void


def test_other_three_players_share_the_win_after_a_forfeit(tmp_path: Path) -> None:
    game = write_race(tmp_path)
    engines = [spec(Raises)] + [spec(Walker, forward=f) for f in (0.5, 0.6, 0.7)]
    rows = played(settings_of(*engines, games=4, game=game), tmp_path / "a.db", workers="threads")
    for row in rows:
        scores = row.entrant_scores()
        assert scores.pop("A") == 0
        assert list(scores.values()) == pytest.approx([1 / 3] * 3)


def test_engine_that_can_no_longer_be_created_forfeits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine could be created when the match began."""
    with Match.create(
        settings_of(spec(FailsToStart), "first", games=2), tmp_path / "a.db"
    ) as match:
        monkeypatch.setenv("FORTHVM_TEST_FAIL_TO_START", "yes")
        match.run(workers="threads")
        assert forfeited(match.rows, "A")
        assert "RuntimeError: out of order" in match.rows[0].reason


# --- engines in Forth ----------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (": Bad BEGIN FALSE UNTIL ;\n", "time limit reached"),
        (": Bad BEGIN 1 FALSE UNTIL ;\n", "stack overflow"),
        (": Bad RECURSE 1 DROP ;\n", "return stack overflow"),
        (": Bad 0 1 SWAP / DROP ;\n", "division by zero"),
        (": Bad ;\n", "ended without calling BestMove!"),
    ],
)
@pytest.mark.parametrize("workers", ["threads", pytest.param("processes", marks=pytest.mark.slow)])
def test_failing_engine_in_forth_forfeits(
    tmp_path: Path, words: str, reason: str, workers: str
) -> None:
    game = write_line(tmp_path, left="Bad", words=words)
    settings = settings_of("script", "random", games=4, game=game, hang=0.3)
    rows = played(settings, tmp_path / "a.db", jobs=2, workers=workers)
    # Left has the failing engine; Right's engine plays random moves for both entrants.
    for row in rows:
        left = row.seats["Left"]
        if left == "A":
            assert forfeited([row], "A")
            assert reason in row.reason
        else:
            assert not row.reason.startswith("forfeit")
    assert [row.seats["Left"] for row in rows] == ["A", "B", "A", "B"]
    assert is_valid(tmp_path / "a.db")


@pytest.mark.parametrize("workers", ["threads", pytest.param("processes", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("mode", "options", "reason"),
    [
        ("waits", "nodes=50", "did not keep to nodes=50: it moved at 0"),
        pytest.param("waits", "depth=3,patience=99", "keep to depth=3", marks=pytest.mark.slow),
        pytest.param("waits", "infinite=yes", "keep to any limit", marks=pytest.mark.slow),
        pytest.param("hangs", "nodes=5,grace=0.3", "it was asked to", marks=pytest.mark.slow),
    ],
)
def test_programs_that_ignore_their_limits_are_stopped_and_forfeit(
    tmp_path: Path, mode: str, options: str, reason: str, workers: str
) -> None:
    engine = f"ugi:{join_words(command(mode))},{options}"
    settings = settings_of(engine, "first", games=1, hang=0.5)
    (row,) = rows = played(settings, tmp_path / "a.db", workers=workers)
    assert forfeited(rows, "A")
    assert reason in row.reason
    assert is_valid(tmp_path / "a.db")


def test_failing_script_voids_the_game(tmp_path: Path) -> None:
    """At ply 3, the rules of the script divide by zero."""
    game = write_line(tmp_path)
    text = game.read_text(encoding="utf-8").replace(
        "#UnknownScore stalemate?", "#UnknownScore turn-number 4 = IF 1 0 / DROP ENDIF stalemate?"
    )
    game.write_text(text, encoding="utf-8")
    rows = played(settings_of("random", "first", games=2, game=game), tmp_path / "a.db")
    for row in rows:
        assert row.void
        assert row.reason.startswith("void: the game failed at ply 3: ")
        assert "division by zero" in row.reason
        assert len(row.moves) == 3


# --- processes -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_hanging_engine_is_ended_and_forfeits(tmp_path: Path) -> None:
    settings = settings_of(spec(Hangs), "first", games=3, hang=0.5)
    rows = played(settings, tmp_path / "a.db", jobs=2)
    assert forfeited(rows, "A")
    assert all("did not answer in time" in row.reason for row in rows)


@pytest.mark.slow
def test_engine_that_ends_its_process_forfeits(tmp_path: Path) -> None:
    """The engine forfeits if its worker also dies in the second attempt to play the game."""
    settings = settings_of(spec(Dies), "first", games=2)
    rows = played(settings, tmp_path / "a.db", jobs=2)
    assert forfeited(rows, "A")
    assert all(f"{KILLED} while it was thinking" in row.reason for row in rows)
    assert all(row.reason.endswith("twice") for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("engine", [MovesThenDies, MovesThenHangs])
def test_moves_of_a_forfeited_game_are_recorded(tmp_path: Path, engine: type[object]) -> None:
    """Engine A fails at its second move, after an opening of two plies.

    Until then each engine has moved once, and the other engine twice if it began.
    """
    settings = settings_of(spec(engine), "first", games=2, hang=0.5, opening_plies=2)
    rows = played(settings, tmp_path / "a.db", jobs=1)
    assert forfeited(rows, "A")
    for row in rows:
        a_begins = next(iter(row.seats.values())) == "A"
        assert len(row.moves) == row.plies == (4 if a_begins else 5)
        assert row.moves[:2] == row.opening
        assert row.seconds > 0
        loaded_match = LoadedMatch(settings)
        running_game = loaded_match.begin(row.seed)
        for player, text in row.moves:
            running_game.push_recorded(player, text)
        loaded_match.close()
    assert rows[0].digest != rows[1].digest
    assert summarise(rows).lengths == (4, 5)


def test_game_forfeited_before_the_first_move_keeps_its_opening(tmp_path: Path) -> None:
    """The game does not count in the statistics of game lengths."""
    settings = settings_of(spec(Exits), spec(Raises), games=2, opening_plies=2)
    rows = played(settings, tmp_path / "a.db", workers="threads")
    assert [len(row.moves) for row in rows] == [2, 2]
    summary = summarise(rows)
    assert (summary.counted, summary.lengths, summary.repeats.count) == (2, (), 0)
    assert any("A  " in line and line.endswith(" 1") for line in tables(summary, 80))


@pytest.mark.slow
def test_dead_worker_does_not_change_the_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game of the dead worker is retried and has the same result."""
    mark = tmp_path / "mark"
    monkeypatch.setenv("FORTHVM_TEST_MARK", str(mark))
    settings = settings_of(spec(DiesOnce), "random", games=6)
    rows = played(settings, tmp_path / "a.db", jobs=2)
    assert mark.exists()
    assert without_times(rows) == without_times(played(settings, tmp_path / "b.db", jobs=2))
    assert all(row.reason.startswith("OnIsGameOver") for row in rows)


@pytest.mark.slow
@pytest.mark.windows
def test_workers_killed_at_any_moment_change_nothing(
    tmp_path: Path, worker_processes: list[WorkerProcess]
) -> None:
    """They are killed during a game, between two games, and while the next game is sent."""
    settings = settings_of("random", "random", games=40)
    killer = Killer(worker_processes)
    with Match.create(settings, tmp_path / "a.db") as match:
        match.run(jobs=1, workers="processes", watcher=killer)
        rows = sorted(match.rows, key=lambda row: row.id)
    assert len(worker_processes) == 1 + killer.kills == 5
    assert is_valid(tmp_path / "a.db")
    local = played(settings, tmp_path / "b.db", jobs=1, workers="threads")
    assert without_times(rows) == without_times(local)


class Killer(Notes):
    """A watcher that kills the worker process some time after each eighth game."""

    def __init__(self, processes: list[WorkerProcess]) -> None:
        super().__init__()
        self._processes = processes
        self._random = random.Random(1)
        self.kills = 0

    def recorded(self, row: GameRow) -> None:
        # A lost game is played next, so the eighth game after it is another one.
        super().recorded(row)
        if self.recorded_games % 8 == 0 and self.recorded_games < 40:
            time.sleep(self._random.uniform(0, 0.02))  # a game takes some milliseconds
            self._processes[-1].kill()
            self.kills += 1


@pytest.mark.skipif(sys.platform != "linux", reason="needs limits of memory")
def test_minimum_of_memory_suffices_for_a_built_in_engine(tmp_path: Path) -> None:
    """Memory that a VM reserves but does not use is not counted."""
    settings = settings_of("negamax:depth=2", "first", games=2, memory=MIN_MEMORY)
    rows = played(settings, tmp_path / "a.db", jobs=1)
    assert [row.reason.partition(":")[0] for row in rows] == ["OnIsGameOver"] * 2


def test_too_little_memory_is_refused() -> None:
    with raises(MatchError, "match.memory-of-the-game"):
        settings_of("first", memory=MIN_MEMORY - 1)


def raise_memory_error(*_arguments: object, **_options: object) -> LoadedMatch:
    raise MemoryError("no memory for a VM of 16777216 bytes")


def test_match_without_memory_for_the_game_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The games are not recorded as void; a resumed match plays them."""
    with Match.create(settings_of("first", games=2), tmp_path / "a.db") as match:
        monkeypatch.setattr("forthvm.autoplay.match.running_game.load", raise_memory_error)
        with raises(MatchError, "match.memory-to-load"):
            match.run(jobs=1, workers="threads")
        assert match.missing_games == 2


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs limits of memory")
def test_engine_that_allocates_too_much_memory_forfeits(tmp_path: Path) -> None:
    settings = settings_of(spec(AllocatesMemory), "first", games=2, memory=600)
    rows = played(settings, tmp_path / "a.db", jobs=1)
    assert forfeited(rows, "A")
    assert all("MemoryError" in row.reason for row in rows)


@pytest.mark.slow
def test_output_of_engines_does_not_mix_with_results(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    played(settings_of(spec(Prints), "first", games=2), tmp_path / "a.db", jobs=1)
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "thinking aloud" in captured.err


@pytest.mark.slow
def test_unwritable_file_ends_the_match_and_keeps_the_games(tmp_path: Path) -> None:
    """SQLite reports a full disk if its file may not grow."""
    settings = settings_of("random", "random", games=400)
    with Match.create(settings, tmp_path / "a.db") as match:
        match.store._connection.execute("PRAGMA max_page_count = 12")
        with raises(StoreError, "store.disk-full"):
            match.run(jobs=2, workers="threads")
        stored = len(match.rows)
    assert 0 < stored < 400
    assert is_valid(tmp_path / "a.db")
    with Match.resume(tmp_path / "a.db") as match:
        assert len(match.rows) == stored
        match.run(jobs=2, workers="threads")
        assert len(match.rows) == 400


@pytest.mark.slow
def test_interruption_ends_workers_with_hanging_engines(
    tmp_path: Path, worker_processes: list[WorkerProcess]
) -> None:
    settings = settings_of(spec(Hangs), "first", games=4)
    with Match.create(settings, tmp_path / "a.db") as match:
        with pytest.raises(KeyboardInterrupt):
            match.run(jobs=2, watcher=InterruptingWatcher(after=1.5))
        assert match.rows == []
    assert worker_processes
    assert not any(process.alive for process in worker_processes)


class InterruptingWatcher(Notes):
    """A watcher that acts like Ctrl-C after some seconds."""

    def __init__(self, after: float) -> None:
        super().__init__()
        self.interrupts_at = time.monotonic() + after

    def tick(self) -> None:
        if time.monotonic() > self.interrupts_at:
            raise KeyboardInterrupt


@pytest.mark.slow
def test_threads_with_a_hanging_engine_can_be_stopped(tmp_path: Path) -> None:
    game = write_line(tmp_path, left="Bad", words=": Bad BEGIN FALSE UNTIL ;\n")
    settings = settings_of("script", "script", games=2, game=game)
    before = threading.active_count()
    with Match.create(settings, tmp_path / "a.db") as match:
        with pytest.raises(KeyboardInterrupt):
            match.run(jobs=2, watcher=InterruptingWatcher(after=0.6), workers="threads")
        assert match.rows == []
    assert threading.active_count() == before


# --- the pool ------------------------------------------------------------------------------------


def double(number: int) -> int:
    return 2 * number


def fail() -> None:
    raise LookupError("nothing there")


def unpicklable() -> object:
    return threading.Lock()


@pytest.mark.slow
def test_pool_has_the_interface_of_executors() -> None:
    with WorkerPool(2) as pool:
        assert list(pool.map(double, range(5))) == [0, 2, 4, 6, 8]
        with pytest.raises(LookupError, match="nothing there"):
            pool.submit(fail).result()
        with pytest.raises(RuntimeError, match="pickle"):
            pool.submit(unpicklable).result()
        with raises(WorkerLost, "match.worker-ended"):
            pool.submit(os._exit, 7).result()
        with pytest.raises(WorkerLost, match=KILLED):
            pool.submit(kill_this_process).result()
        assert pool.submit(double, 21).result() == 42
    with pytest.raises(RuntimeError, match="closed"):
        pool.submit(double, 1)


@pytest.mark.slow
def test_pool_leaves_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first pool is closed after a task; the second is killed while its workers start."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with WorkerPool(1) as pool:
        assert pool.submit(double, 2).result() == 4
    killed = WorkerPool(2)
    for _ in range(2):
        killed.submit(double, 2)
    while len(killed.processes) < 2:
        time.sleep(0.005)
    killed.kill()
    assert list(tmp_path.iterdir()) == []


def test_unknown_executor_is_refused() -> None:
    with raises(Exception, "match.dask-address"):
        make_workers(settings_of("first"), jobs=1, executor="ray=here")
