"""Matches on a dask.distributed cluster that another program started.

Owns the connection to the cluster, and the files that its workers need.  Delegates the distribution
of games to coordinator.py.
"""

from __future__ import annotations

import contextlib
import os
import queue
from concurrent.futures import Future
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forthvm.autoplay.match.cluster_members import Job
from forthvm.autoplay.match.cluster_worker import SHIPPED
from forthvm.autoplay.match.coordinator import Coordinator
from forthvm.autoplay.match.running_game import LoadedMatch
from forthvm.autoplay.match.settings import MatchError
from forthvm.autoplay.match.worker import play_task
from forthvm.autoplay.match.workers import Notice, Workers
from forthvm.autoplay.results.foreign_code import source_digests

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.autoplay.match.game import Task
    from forthvm.autoplay.match.settings import Settings
    from forthvm.autoplay.results.rows import GameRow

__all__ = ["Cluster"]

_CONNECT_TIMEOUT = 20.0
"""Seconds to wait for a dask scheduler."""


class Cluster(Workers):
    """The workers of a cluster as workers of a match."""

    def __init__(self, settings: Settings, address: str, check: float) -> None:
        """Connect to the cluster.

        Args:
            settings: The match.
            address: The address of the scheduler.
            check: The share of games that another worker plays again, from 0 to 1.

        Raises:
            MatchError: The cluster cannot be used.
        """
        loaded_match = LoadedMatch(settings)
        shipment = _shipment(settings, loaded_match)
        self._client = _connect(address)
        self._coordinator = Coordinator(self._client, settings, loaded_match, shipment, check)
        self._coordinator.start()

    @property
    def capacity(self) -> int:
        """The number of games that may be submitted at the same time."""
        return self._coordinator.capacity

    @property
    def settled(self) -> bool:
        """Whether all checks of results have ended."""
        return not self._coordinator.checks

    def set_checks_only(self, checks_only: bool) -> None:
        """Set whether only checks are played, because the match may be over."""
        self._coordinator.checks_only = checks_only

    def notices(self) -> list[Notice]:
        """Return the messages since the last call."""
        notices = []
        with contextlib.suppress(queue.Empty):
            while True:
                notices.append(self._coordinator.notices.get_nowait())
        if self._coordinator.error is not None and not notices:
            raise self._coordinator.error
        return notices

    def submit(
        self,
        settings: Settings,
        task: Task,
        work: Callable[[Settings, Task], Any] = play_task,
    ) -> Future[Any]:
        """Submit a game."""
        assert work is play_task, "other work is not checked"
        future: Future[GameRow] = Future()
        future.set_running_or_notify_cancel()
        self._coordinator.post(self._coordinator.add, Job(task, future))
        return future

    def close(self) -> None:
        """End the work of the cluster on this match."""
        self.abandon()

    def abandon(self) -> None:
        """Cancel the batches; each worker ends after its game in progress."""
        self._coordinator.stop()
        self._client.close()


def _connect(address: str) -> Any:  # noqa: ANN401 - dask has no types
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise MatchError(
            "dask.distributed is not installed", hints=("pip install 'forthvm[dask]'",)
        ) from None
    try:
        client = distributed.Client(address, timeout=_CONNECT_TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise MatchError(f"no dask scheduler answers at {address}: {error}") from error
    if not client.scheduler_info(n_workers=-1)["workers"]:
        client.close()
        raise MatchError(f"the cluster at {address} has no workers")
    return client


# --- files ------------------------------------------------------------------------------------


def _shipment(
    settings: Settings, loaded_match: LoadedMatch
) -> tuple[Settings, dict[str, tuple[str, bytes]]]:
    """Return the settings with paths of shipped files, and the files by their relative paths.

    For each file there are its digest and its contents.  Bundled games are not shipped.
    """
    contents: dict[str, tuple[str, bytes]] = {}
    configurations = []
    digests_by_configuration = source_digests(settings, loaded_match.games)
    for configuration, digests in zip(
        settings.configurations, digests_by_configuration, strict=True
    ):
        for name, digest in digests.items():
            contents[_relative(name)] = (digest, Path(name).read_bytes())
        main = configuration.game
        configurations.append(
            replace(
                configuration,
                game=_shipped(main) if str(Path(main).absolute()) in digests else main,
                library=configuration.library and _shipped(configuration.library),
                include=tuple(map(_shipped, configuration.include)),
            )
        )
    return replace(settings, configurations=tuple(configurations)), contents


def _shipped(path: str) -> str:
    return SHIPPED + _relative(path)


def _relative(path: str) -> str:
    """Return an absolute path as a path below the folder of shipped files."""
    normal = Path(os.path.normpath(Path(path).absolute()))
    return normal.relative_to(normal.anchor).as_posix()
