"""Where games are played: threads, processes, or another's cluster.

Owns the choice and how each kind is stopped; all of them are `concurrent.futures` executors.
It must not know files or schedules.
"""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from importlib import import_module
from typing import TYPE_CHECKING, Any

from forthvm.autoplay.match.engine_specs import is_native
from forthvm.autoplay.match.pool import WorkerPool
from forthvm.autoplay.match.settings import MatchError
from forthvm.autoplay.match.worker import ThreadStatus, play_task, use_status
from forthvm.engines.registry import split_engine

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.autoplay.match.game import Task
    from forthvm.autoplay.match.settings import Settings

__all__ = ["KINDS", "Crew", "check_executor", "choose_kind", "cores", "make_crew"]

KINDS = ("threads", "processes")
_PATIENCE = 20.0
"""Seconds to wait for a scheduler."""
_QUICK = frozenset({"random", "first", "chance"})
"""Engines so quick that Python, which no two threads run at once, takes most of the time."""


def cores() -> int:
    """Processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def choose_kind(settings: Settings, jobs: int) -> str:
    """Threads where the engines run in C, processes where Python does the work."""
    specs = [entrant.spec for entrant in settings.entrants]
    if not all(map(is_native, specs)) or settings.memory is not None:
        return "processes"
    quick = all(spec and split_engine(spec)[0] in _QUICK for spec in specs)
    return "processes" if quick and jobs > 1 else "threads"


class Crew(ABC):
    """Workers that play games."""

    def __init__(self, executor: Executor, capacity: int) -> None:
        self.executor = executor
        self.capacity = capacity
        """Games that may be handed over at a time, so that nobody has to wait for one."""

    def submit(
        self,
        settings: Settings,
        task: Task,
        work: Callable[[Settings, Task], Any] = play_task,
    ) -> Future[Any]:
        """Has a game played; `work` plays it, as `play_task` does, and gives what is wanted."""
        return self.executor.submit(work, settings, task)

    def has_lost_worker(self, error: BaseException) -> bool:
        """Whether this is how the executor says that a game ended its workers."""
        return False

    def close(self) -> None:
        """Ends the workers, who have nothing to do."""
        self.executor.shutdown(wait=True)

    @abstractmethod
    def abandon(self) -> None:
        """Ends them in the middle of their games."""


class _Threads(Crew):
    def __init__(self, jobs: int) -> None:
        self._statuses: list[ThreadStatus] = []
        self._running: list[Future[Any]] = []

        def begin() -> None:
            status = ThreadStatus()
            self._statuses.append(status)
            use_status(status)

        super().__init__(
            ThreadPoolExecutor(jobs, thread_name_prefix="forthvm worker", initializer=begin),
            2 * jobs,
        )

    def submit(
        self,
        settings: Settings,
        task: Task,
        work: Callable[[Settings, Task], Any] = play_task,
    ) -> Future[Any]:
        future = super().submit(settings, task, work)
        self._running = [each for each in self._running if not each.done()] + [future]
        return future

    def abandon(self) -> None:
        self.executor.shutdown(wait=False, cancel_futures=True)
        while not all(future.done() for future in self._running):
            for status in self._statuses:
                status.stop()
            time.sleep(0.01)
        self.executor.shutdown(wait=True)


class _Processes(Crew):
    def __init__(self, jobs: int) -> None:
        self.pool = WorkerPool(jobs)
        super().__init__(self.pool, 2 * jobs)

    def abandon(self) -> None:
        self.pool.kill()


class _Dask(Crew):
    """A dask.distributed cluster that somebody else started."""

    def __init__(self, address: str) -> None:
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            raise MatchError(
                "dask.distributed is not installed", hints=("pip install 'forthvm[dask]'",)
            ) from None
        try:
            self._client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise MatchError(f"no dask scheduler answers at {address}: {error}") from error
        workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
        threads = sum(worker["nthreads"] for worker in workers)
        if not threads:
            self._client.close()
            raise MatchError(f"the cluster at {address} has no workers")
        # Equal tasks are not one task here: a game that is played again is played.
        super().__init__(self._client.get_executor(pure=False), 2 * threads)
        self._died = distributed.KilledWorker

    def has_lost_worker(self, error: BaseException) -> bool:
        return isinstance(error, self._died)

    def close(self) -> None:
        super().close()
        self._client.close()

    def abandon(self) -> None:
        self.executor.shutdown(wait=False)  # cancels what has not ended
        self._client.close()


def check_executor(executor: str) -> str:
    """The address in `dask=ADDRESS`.

    Raises:
        MatchError: it is something else.
    """
    name, _, address = executor.partition("=")
    if name != "dask" or not address:
        raise MatchError(f"no executor {executor!r}: expected dask=ADDRESS")
    return address


def make_crew(
    settings: Settings, *, jobs: int, kind: str | None = None, executor: str | None = None
) -> Crew:
    """Workers for a match.

    Args:
        settings: The match.
        jobs: Games side by side.
        kind: `threads` or `processes`; None: as the engines need it.
        executor: `dask=ADDRESS`: workers elsewhere, `jobs` and `kind` do not count.

    Raises:
        MatchError: there are no such workers.
    """
    if executor is not None:
        return _Dask(check_executor(executor))
    if (kind or choose_kind(settings, jobs)) == "threads":
        return _Threads(jobs)
    return _Processes(jobs)
