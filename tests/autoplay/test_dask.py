"""Matches on a dask.distributed cluster of several local processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

from forthvm.autoplay import GameRow, Match, MatchError
from tests.autoplay.matches import played, settings_of, spec, without_times
from tests.autoplay.players import Hangs, Raises, Walker

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]


class Cluster(Protocol):
    """The part of distributed.LocalCluster that the tests use."""

    scheduler_address: str
    workers: dict[object, Any]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Start two worker processes with one thread each, in place of two other machines."""
    distributed: Any = pytest.importorskip(
        "distributed", reason="dask.distributed is not installed"
    )
    import dask

    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    dask.config.set({"distributed.scheduler.allowed-failures": 1})
    try:
        with distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs=50,
        ) as local_cluster:
            yield local_cluster
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


def test_cluster_plays_the_same_games_as_a_local_worker(tmp_path: Path, cluster: Cluster) -> None:
    settings = settings_of(
        "negamax:depth=3", "mcts:playouts=20", spec(Raises), games=24, opening_plies=1
    )
    local = played(settings, tmp_path / "local.db", jobs=1)
    remote = played(settings, tmp_path / "remote.db", executor=f"dask={cluster.scheduler_address}")
    assert without_times(remote) == without_times(local)


class Killer:
    """A watcher that kills a worker after the fourth game or a later one."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.killed: int | None = None
        self.notes: list[str] = []

    def begun(self, match: Match) -> None:
        """Do nothing."""

    def recorded(self, row: GameRow) -> None:
        if self.killed is None and row.id >= 4:
            nanny = next(iter(self.cluster.workers.values()))
            self.killed = nanny.process.pid
            os.kill(nanny.process.pid, 9)

    def tick(self) -> None:
        """Do nothing."""

    def note(self, text: str) -> None:
        self.notes.append(text)


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_killed_worker_loses_no_game(tmp_path: Path, cluster: Cluster) -> None:
    settings = settings_of(spec(Walker, forward=0.5), "mcts:playouts=50", games=40, opening_plies=1)
    killer = Killer(cluster)
    remote = played(
        settings,
        tmp_path / "remote.db",
        executor=f"dask={cluster.scheduler_address}",
        watcher=killer,
    )
    assert killer.killed is not None
    local = played(settings, tmp_path / "local.db", jobs=1, workers="processes")
    assert without_times(remote) == without_times(local)


def test_game_of_a_hanging_engine_on_the_cluster_is_void(tmp_path: Path, cluster: Cluster) -> None:
    settings = settings_of(spec(Hangs), "first", games=1, hang=0.5)
    (row,) = played(settings, tmp_path / "a.db", executor=f"dask={cluster.scheduler_address}")
    assert row.void
    assert row.reason.startswith("void: no worker could play it: ")


def test_unreachable_scheduler_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forthvm.autoplay.match.executors._CONNECT_TIMEOUT", 0.5)
    with (
        Match.create(settings_of("first", games=1), tmp_path / "a.db") as match,
        pytest.raises(MatchError, match="no dask scheduler answers at tcp:"),
    ):
        match.run(executor="dask=tcp://127.0.0.1:9")
