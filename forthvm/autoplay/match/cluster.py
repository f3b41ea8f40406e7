"""Matches on a dask.distributed cluster that another program started.

Owns the connection, the choice how many games a dask task has, and the check of received games.
dask distributes the tasks, and repeats those of lost workers.  cluster_worker.py plays the games.

Received games are checked like those of a results file, and must be games of this match.  Their
moves are not replayed to check them: a worker that can send results through dask can also run code
on this computer, so replaying would not make the match safer.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from distributed import Client

from forthvm.autoplay.match.cluster_worker import MatchOnWorker, play_games
from forthvm.autoplay.match.executors import Workers
from forthvm.autoplay.match.game import describe
from forthvm.autoplay.match.running_game import LoadedMatch
from forthvm.autoplay.match.settings import MatchError
from forthvm.autoplay.match.worker import play_task
from forthvm.autoplay.results.foreign_code import source_digests
from forthvm.autoplay.results.rows import GameRow, read_row
from forthvm.core.reading import ReadError, as_type
from forthvm.core.text.visible import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.autoplay.match.game import Task
    from forthvm.autoplay.match.settings import Settings

__all__ = ["Cluster", "received_row"]

_CONNECT_TIMEOUT = 20.0
"""Seconds to wait for a dask scheduler."""
_COUNT_SECONDS = 1.0
"""Seconds between two counts of the cluster's threads."""
_TASKS_PER_THREAD = 3
"""The number of tasks that are submitted for each thread of the cluster."""
_TASK_SECONDS = 0.2
"""The duration to which a task with several short games may grow; dask needs some milliseconds for
each task."""
_MAX_GAMES = 16
"""The maximum number of games in a task."""
_CONNECTION_LOST = "the connection to the scheduler was lost"

_Game = tuple["Task", "Future[GameRow]"]


class Cluster(Workers):
    """The workers of a cluster as workers of a match."""

    def __init__(self, settings: Settings, address: str) -> None:
        """Connect to the cluster, and send the match to its workers.

        Args:
            settings: The match.
            address: The address of the scheduler.

        Raises:
            MatchError: The cluster cannot be used.
        """
        self._settings = settings
        loaded_match = LoadedMatch(settings)
        self._seats = loaded_match.seats
        self._match = _match_on_worker(settings, loaded_match)
        self._client = _connect(address)
        try:
            self._client.register_plugin(self._match)
        except Exception as error:
            self._client.close()
            raise MatchError(f"a worker cannot load the match: {describe(error)}") from error
        self._executor = self._client.get_executor(pure=False)
        self._unsent: list[_Game] = []
        self._games_per_task = 1
        self._threads = 0
        self._counted_at = -_COUNT_SECONDS

    @property
    def capacity(self) -> int:
        """The number of games that may be submitted at the same time."""
        if time.monotonic() - self._counted_at >= _COUNT_SECONDS:
            self._counted_at = time.monotonic()
            try:
                self._threads = sum(self._client.nthreads().values())
            except (OSError, TimeoutError) as error:
                raise MatchError(f"{_CONNECTION_LOST}: {error}") from error
        return max(1, self._threads) * _TASKS_PER_THREAD * self._games_per_task

    def submit(
        self,
        settings: Settings,
        task: Task,
        work: Callable[[Settings, Task], Any] = play_task,
    ) -> Future[Any]:
        """Submit a game, which `flush` sends."""
        assert work is play_task, "workers of a cluster only play games"
        future: Future[GameRow] = Future()
        self._unsent.append((task, future))
        return future

    def flush(self) -> None:
        """Send the submitted games to dask."""
        while games := self._unsent[: self._games_per_task]:
            del self._unsent[: len(games)]
            tasks = [task for task, _ in games]
            sent = self._executor.submit(play_games, self._match.name, tasks)
            sent.add_done_callback(partial(self._receive, games))

    def _receive(self, games: Sequence[_Game], sent: Future[list[object]]) -> None:
        """Set the results of the games of a dask task."""
        try:
            answers = sent.result()
            rows = [
                answer
                if isinstance(answer, BaseException)
                else received_row(self._settings, self._seats, task, answer)
                for (task, _), answer in zip(games, answers, strict=True)
            ]
        except CancelledError:
            rows = [MatchError(_CONNECTION_LOST)] * len(games)
        except Exception as error:
            rows = [error] * len(games)
        for (_, future), row in zip(games, rows, strict=True):
            if isinstance(row, BaseException):
                future.set_exception(row)
            else:
                future.set_result(row)
        if seconds := sum(row.seconds for row in rows if isinstance(row, GameRow)):
            games_in_time = _TASK_SECONDS * len(games) / seconds
            self._games_per_task = max(1, int(min(_MAX_GAMES, games_in_time)))

    def abandon(self) -> None:
        """Cancel the games that have not begun; each worker ends after its games in progress."""
        self._executor.shutdown(wait=False)
        if self._client.status == "running":
            with contextlib.suppress(Exception):  # a worker or the scheduler was lost just now
                self._client.unregister_worker_plugin(self._match.name)
        self._client.close()


def _connect(address: str) -> Any:  # noqa: ANN401 - the methods of Client have no types
    connect: Any = Client
    try:
        client = connect(address, timeout=_CONNECT_TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise MatchError(f"no dask scheduler answers at {address}: {error}") from error
    if not client.nthreads():
        client.close()
        raise MatchError(f"the cluster at {address} has no workers")
    return client


def _match_on_worker(settings: Settings, loaded_match: LoadedMatch) -> MatchOnWorker:
    """Return the match with the files of games that are not bundled.

    Absolute paths become paths below the folder that each worker has for the match.
    """
    paths = {path for each in source_digests(settings, loaded_match.games) for path in each}
    configurations = [
        replace(
            each,
            game=_relative(each.game) if str(Path(each.game).absolute()) in paths else each.game,
            library=each.library and _relative(each.library),
            include=tuple(map(_relative, each.include)),
        )
        for each in settings.configurations
    ]
    return MatchOnWorker(
        f"forthvm-{secrets.token_hex(8)}",
        replace(settings, configurations=tuple(configurations)),
        files={_relative(path): Path(path).read_bytes() for path in paths},
        digests=[game.digest for game in loaded_match.games],
    )


def _relative(path: str) -> str:
    normal = Path(os.path.normpath(Path(path).absolute()))
    return normal.relative_to(normal.anchor).as_posix()


def received_row(settings: Settings, seats: Sequence[str], task: Task, values: object) -> GameRow:
    """Return the row of a game from the values that a worker sent.

    Raises:
        MatchError: The values are not those of a row, or not those of this game.
    """
    try:
        row = read_row(as_type(list[object])(values))
        known = {
            "id": task.number,
            "seed": settings.pair_seed(task.pair),
            "seats": dict(zip(seats, task.seats, strict=True)),
            "opening": task.start.moves,
            "pair": task.pair,
        }
        for name, value in known.items():
            if getattr(row, name) != value:
                raise ReadError(f"column {name}: expected {shown(value)}")
    except ValueError as error:
        raise MatchError(f"a worker sent an invalid game: {error}") from error
    return row
