"""Matches on a dask.distributed cluster of several local processes."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import pytest

from forthvm.autoplay import GameRow, Match, MatchError
from forthvm.autoplay.match.game import Task
from forthvm.autoplay.match.worker import ThreadStatus, play_task, use_status
from forthvm.autoplay.results.rows import row_values
from forthvm.game import find_game
from tests.autoplay.matches import Notes, played, settings_of, spec, without_times
from tests.autoplay.players import AllocatesMemory, Dies, Hangs, Raises, Slow
from tests.kit.cases import each_case
from tests.kit.messages import raises

pytest.importorskip("distributed")
from tests.autoplay.cluster_workers import BEHAVIOUR
from tests.kit.processes import output_of

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]
posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")

GUIDE = Path(__file__).resolve().parents[2] / "docs/guides/autoplay.md"
WAIT_FOR_WORKER = """\
import sys, distributed
with distributed.Client(f"tcp://127.0.0.1:{sys.argv[1]}", timeout=60) as client:
    client.wait_for_workers(1)
"""


class Cluster(Protocol):
    """The part of distributed.SpecCluster that the tests use."""

    scheduler_address: str
    scheduler: Any
    workers: dict[str, Any]


def free_port() -> int:
    """Return a port that no program uses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextlib.contextmanager
def cluster_of(behaviours: Sequence[str]) -> Iterator[Cluster]:
    """Start a worker process with one thread for each behaviour, in place of other machines.

    The names of the workers are w0, w1 and so on; a name ends with the behaviour.
    """
    distributed: Any = pytest.importorskip(
        "distributed", reason="dask.distributed is not installed"
    )
    import dask

    # SpecCluster closes the nannies of workers that are away this long after a loss.
    dask.config.set({"distributed.deploy.lost-worker-timeout": "1 hour"})
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    workers = {
        f"w{at} {behaviour}".strip(): {
            "cls": distributed.Nanny,
            "options": {
                "nthreads": 1,
                "memory_limit": 0,
                # One worker is started again at its old address, the others at new addresses.
                "worker_port": free_port() if behaviour == "killed" else 0,
                "env": {BEHAVIOUR: behaviour},
                "preload": ["tests.autoplay.cluster_workers"],
            },
        }
        for at, behaviour in enumerate(behaviours)
    }
    scheduler = {"cls": distributed.Scheduler, "options": {"port": 0, "dashboard_address": ":0"}}
    try:
        with distributed.SpecCluster(workers, scheduler, silence_logs=50) as cluster:
            yield cluster
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Start a cluster of two workers that behave well."""
    with cluster_of(["", ""]) as two_workers:
        yield two_workers


def on(cluster: Cluster) -> str:
    """Return the option `executor` for a cluster."""
    return f"dask={cluster.scheduler_address}"


class Killer(Notes):
    """A watcher that kills the process of a worker again and again."""

    def __init__(self, cluster: Cluster, name: str, period: int) -> None:
        super().__init__()
        self.nanny = cluster.workers[name]
        self.period = period
        self.killed: set[int] = set()

    def recorded(self, row: GameRow) -> None:
        super().recorded(row)
        process = self.nanny.process
        pid = None if process is None else process.pid
        if self.recorded_games % self.period == 0 and pid and pid not in self.killed:
            self.killed.add(pid)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, 9)


def copy_of_breakthrough(folder: Path) -> Path:
    """Copy a bundled game, so that it must be shipped to the workers."""
    _, source = find_game("breakthrough")
    folder.mkdir()
    for path in source.parent.glob("*.4th"):
        shutil.copy(path, folder)
    return folder / source.name


def test_cluster_plays_the_same_games_as_a_local_worker(tmp_path: Path, cluster: Cluster) -> None:
    settings = settings_of(
        "negamax:depth=3", "mcts:playouts=20", spec(Raises), games=24, opening_plies=1
    )
    local = played(settings, tmp_path / "local.db", jobs=1)
    remote = played(settings, tmp_path / "remote.db", executor=on(cluster))
    assert without_times(remote) == without_times(local)
    assert {row.worker for row in remote} <= {"w0", "w1"}


@posix
def test_workers_of_which_one_is_slow_and_one_is_killed_lose_no_game(tmp_path: Path) -> None:
    game = copy_of_breakthrough(tmp_path / "game")
    settings = settings_of(
        "negamax:depth=1", "mcts:playouts=10", games=120, game=game, opening_plies=2
    )
    with cluster_of(["", "slow", "killed"]) as cluster:
        killer = Killer(cluster, "w2 killed", period=35)
        remote = played(settings, tmp_path / "remote.db", executor=on(cluster), watcher=killer)
    assert killer.killed
    assert without_times(remote) == without_times(played(settings, tmp_path / "local.db", jobs=2))
    assert {row.worker for row in remote} == {"w0", "w1 slow", "w2 killed"}


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("old", "worker w0 old: it has forthvm 0.0.1, not "),
        ("other rules", "worker w0 other rules: its copy of the game differs"),
        ("invents", "a worker sent an invalid game: column seats: expected {'Black': "),
    ],
)
def test_worker_that_cannot_play_the_match_ends_it(
    tmp_path: Path, behaviour: str, message: str
) -> None:
    settings = settings_of("first", "random", games=4, game=copy_of_breakthrough(tmp_path / "game"))
    with (
        cluster_of([behaviour]) as cluster,
        Match.create(settings, tmp_path / "a.db") as match,
        pytest.raises(MatchError, match=re.escape(message)),
    ):
        match.run(executor=on(cluster))


def test_workers_have_the_folders_from_which_no_file_was_loaded(
    tmp_path: Path, cluster: Cluster
) -> None:
    (tmp_path / "parts").mkdir()
    settings = settings_of("first", "random", games=2, game=copy_of_breakthrough(tmp_path / "game"))
    (configuration,) = settings.configurations
    configuration = replace(configuration, include=(str(tmp_path / "parts"),))
    settings = replace(settings, configurations=(configuration,))
    with Match.create(settings, tmp_path / "a.db") as match:
        match.run(executor=on(cluster))
        assert len(match.rows) == 2


def test_worker_without_an_engine_is_named(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "only_here.py").write_text("from tests.autoplay.players import Walker\n")
    monkeypatch.syspath_prepend(tmp_path)
    settings = settings_of("only_here:Walker", "first", games=1)
    message = "game 1 cannot be played: worker w[01]: A: engine .* No module named 'only_here'"
    with (
        Match.create(settings, tmp_path / "a.db") as match,
        pytest.raises(MatchError, match=message),
    ):
        match.run(executor=on(cluster))


@each_case(
    ("column", "value"),
    [
        (0, 4),
        (1, 1),
        (2, '{"X": "B", "O": "A"}'),
        (3, '{"Z": 1.0}'),
        (3, '{"X": NaN}'),
        (6, "[" * 100_000),
        (6, '[["X", 1]]'),
        (7, -1),
        (10, '[["X", "X mark a1"]]'),
        (11, 3),
        (12, '{"Z": -1}'),
    ],
)
def test_invalid_values_are_refused(column: int, value: object) -> None:
    cluster = pytest.importorskip("forthvm.autoplay.match.cluster", reason="needs distributed")
    settings = settings_of("first", "random")
    task = Task(number=3, seats=("A", "B"), pair=2)
    use_status(ThreadStatus())
    row = play_task(settings, task)
    values = list(row_values(row))
    assert cluster.received_row(settings, ("X", "O"), task, values) == row
    values[column] = value
    for invalid in (values, values[1:], None):
        with raises(MatchError, "dask.a-worker-sent"):
            cluster.received_row(settings, ("X", "O"), task, invalid)


def test_test_that_decides_stops_the_cluster(tmp_path: Path, cluster: Cluster) -> None:
    settings = settings_of(
        "negamax:depth=2", "first", games=5000, opening_plies=2, sprt=("elo0=0", "elo1=200")
    )
    remote = played(settings, tmp_path / "remote.db", executor=on(cluster))
    local = played(settings, tmp_path / "local.db", jobs=1)
    assert [row.id for row in remote if not row.void] == [row.id for row in local if not row.void]
    assert len(remote) < 5000
    wait_until_idle(cluster)


def wait_until_idle(cluster: Cluster) -> None:
    """Wait until the cluster has no tasks; without an end, the test fails by its time limit."""
    while cluster.scheduler.tasks:
        time.sleep(0.05)


def test_interrupted_match_is_saved_and_stops_the_workers(tmp_path: Path, cluster: Cluster) -> None:
    class Interrupts(Notes):
        def recorded(self, row: GameRow) -> None:
            super().recorded(row)
            if self.recorded_games == 5:
                raise KeyboardInterrupt

    settings = settings_of("mcts:playouts=50", spec(Slow), games=40, opening_plies=1)
    path = tmp_path / "a.db"
    with Match.create(settings, path) as match, pytest.raises(KeyboardInterrupt):
        match.run(executor=on(cluster), watcher=Interrupts())
    wait_until_idle(cluster)
    with Match.resume(path, confirm=lambda *_: True) as match:
        assert 5 <= len(match.rows) < 40
        assert match.missing_games == 40 - len(match.rows)


@pytest.mark.skipif(sys.platform != "linux", reason="needs limits of memory")
@pytest.mark.parametrize(
    ("engine", "options"),
    [(Hangs, {"hang": 0.5}), (Dies, {}), (AllocatesMemory, {"memory": 600})],
)
def test_failing_engine_forfeits_as_on_this_computer(
    tmp_path: Path, cluster: Cluster, engine: type[object], options: dict[str, float]
) -> None:
    settings = settings_of(spec(engine), "first", games=1, **options)
    remote = played(settings, tmp_path / "remote.db", executor=on(cluster))
    local = played(settings, tmp_path / "local.db", jobs=1, workers="processes")
    assert [row.reason for row in remote] == [row.reason for row in local]
    assert remote[0].reason.startswith("forfeit: A (X)")


@contextlib.contextmanager
def started(
    commands: Sequence[Sequence[str]], port: str, folder: Path
) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Start a scheduler and a worker as processes; wait until the worker is ready."""
    servers = []
    try:
        for command in commands:
            servers.append(subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL))
        output_of(sys.executable, "-c", WAIT_FOR_WORKER, port, folder=folder)
        yield servers
    finally:
        for server in reversed(servers):
            server.terminate()
            server.wait()


@posix
def test_lost_scheduler_ends_the_match(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="dask.distributed is not installed")
    port = str(free_port())
    address = f"tcp://127.0.0.1:{port}"
    dask = [sys.executable, "-m", "dask"]
    commands = [
        [*dask, "scheduler", "--port", port, "--no-dashboard"],
        [*dask, "worker", address, "--nworkers", "1", "--nthreads", "1", "--no-dashboard"],
    ]
    with started(commands, port, tmp_path) as (scheduler, _):

        class KillsScheduler(Notes):
            def recorded(self, row: GameRow) -> None:
                super().recorded(row)
                scheduler.kill()

        settings = settings_of(
            "mcts:playouts=300,net=none", "first", games=100, game="breakthrough"
        )
        with (
            Match.create(settings, tmp_path / "a.db") as match,
            raises(MatchError, "dask.the-connection"),
        ):
            match.run(executor=f"dask={address}", watcher=KillsScheduler())
        assert 1 <= len(match.rows) < 100


@posix
def test_commands_of_the_guide_run(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="dask.distributed is not installed")
    port = str(free_port())
    lines = re.findall(r"^    (.+8786.*)$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    modules = [
        [sys.executable, "-m", *line.replace("8786", port).split()]
        for line in (line.replace(" -n 40 ", " -n 6 ") for line in lines)
    ]
    assert [command[2] for command in modules] == ["dask", "dask", "forthvm"]
    with started(modules[:2], port, tmp_path):
        assert "breakthrough: 6 games" in output_of(*modules[2], folder=tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / "breakthrough.autoplay.db")) as connection:
        workers = {name for (name,) in connection.execute("SELECT worker FROM games")}
    assert workers <= {"ada-0", "ada-1"}


def test_unreachable_scheduler_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forthvm.autoplay.match.cluster._CONNECT_TIMEOUT", 0.5)
    with (
        Match.create(settings_of("first", games=1), tmp_path / "a.db") as match,
        pytest.raises(MatchError, match="no dask scheduler answers at tcp:"),
    ):
        match.run(executor="dask=tcp://127.0.0.1:9")
