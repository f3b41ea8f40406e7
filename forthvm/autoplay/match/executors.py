"""The workers that play games: threads, processes, or a dask cluster.

Owns the choice between these kinds, and the way to stop each kind.  Each kind uses an executor with
the interface of `concurrent.futures`.  This file must not know files or schedules.
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

__all__ = ["KINDS", "Workers", "choose_kind", "cores", "dask_address", "make_workers"]

KINDS = ("threads", "processes")
_CONNECT_TIMEOUT = 20.0
"""Seconds to wait for a dask scheduler."""
_FAST_ENGINES = frozenset({"random", "first", "chance"})
"""Engines so fast that a game spends most of its time in Python code around them."""


def cores() -> int:
    """Return the number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not available on every system
        return os.cpu_count() or 1


def choose_kind(settings: Settings, jobs: int) -> str:
    """Return the kind of workers that can play games in parallel: `threads` or `processes`.

    Threads suffice for engines in C.  Python runs one thread at a time, so processes are needed if
    an engine runs in Python, or is so fast that most time is spent in Python.  They are also
    needed for a memory limit, because the operating system limits processes.
    """
    specs = [entrant.spec for entrant in settings.entrants]
    if not all(map(is_native, specs)) or settings.memory is not None:
        return "processes"
    fast = all(spec and split_engine(spec)[0] in _FAST_ENGINES for spec in specs)
    return "processes" if fast and jobs > 1 else "threads"


class Workers(ABC):
    """The workers of a match."""

    def __init__(self, executor: Executor, capacity: int) -> None:
        self.executor = executor
        self.capacity = capacity
        """The number of games that may be submitted at the same time: two for each worker."""

    def submit(
        self,
        settings: Settings,
        task: Task,
        work: Callable[[Settings, Task], Any] = play_task,
    ) -> Future[Any]:
        """Submit a game; the future's result is that of `work(settings, task)`."""
        return self.executor.submit(work, settings, task)

    def is_worker_loss(self, error: BaseException) -> bool:
        """Whether an exception of a future means that the worker of the game died."""
        return False

    def close(self) -> None:
        """End the workers when their games have ended."""
        self.executor.shutdown(wait=True)

    @abstractmethod
    def abandon(self) -> None:
        """End the workers immediately; their games are lost."""


class _Threads(Workers):
    def __init__(self, jobs: int) -> None:
        self._statuses: list[ThreadStatus] = []
        self._running: list[Future[Any]] = []

        def create_status() -> None:
            status = ThreadStatus()
            self._statuses.append(status)
            use_status(status)

        super().__init__(
            ThreadPoolExecutor(
                jobs, thread_name_prefix="forthvm worker", initializer=create_status
            ),
            2 * jobs,
        )

    def submit(
        self,
        settings: Settings,
        task: Task,
        work: Callable[[Settings, Task], Any] = play_task,
    ) -> Future[Any]:
        future = super().submit(settings, task, work)
        self._running = [running for running in self._running if not running.done()] + [future]
        return future

    def abandon(self) -> None:
        self.executor.shutdown(wait=False, cancel_futures=True)
        while not all(future.done() for future in self._running):
            for status in self._statuses:
                status.stop()
            time.sleep(0.01)
        self.executor.shutdown(wait=True)


class _Processes(Workers):
    def __init__(self, jobs: int) -> None:
        self.pool = WorkerPool(jobs)
        super().__init__(self.pool, 2 * jobs)

    def abandon(self) -> None:
        self.pool.kill()


class _Dask(Workers):
    """A dask.distributed cluster that another program started."""

    def __init__(self, address: str) -> None:
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            raise MatchError(
                "dask.distributed is not installed", hints=("pip install 'forthvm[dask]'",)
            ) from None
        try:
            self._client = distributed.Client(
                address, timeout=_CONNECT_TIMEOUT, set_as_default=False
            )
        except (OSError, ValueError, TimeoutError) as error:
            raise MatchError(f"no dask scheduler answers at {address}: {error}") from error
        workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
        threads = sum(worker["nthreads"] for worker in workers)
        if not threads:
            self._client.close()
            raise MatchError(f"the cluster at {address} has no workers")
        # `pure=False`: when a game is repeated, dask must not return its earlier, failed result.
        super().__init__(self._client.get_executor(pure=False), 2 * threads)
        self._killed_worker = distributed.KilledWorker

    def is_worker_loss(self, error: BaseException) -> bool:
        return isinstance(error, self._killed_worker)

    def close(self) -> None:
        super().close()
        self._client.close()

    def abandon(self) -> None:
        self.executor.shutdown(wait=False)  # also cancels running tasks
        self._client.close()


def dask_address(executor: str) -> str:
    """Return the address in the text `dask=ADDRESS`.

    Raises:
        MatchError: The text has another form.
    """
    name, _, address = executor.partition("=")
    if name != "dask" or not address:
        raise MatchError(f"no executor {executor!r}: expected dask=ADDRESS")
    return address


def make_workers(
    settings: Settings, *, jobs: int, kind: str | None = None, executor: str | None = None
) -> Workers:
    """Create the workers of a match.

    Args:
        settings: The match.
        jobs: The number of games that are played at the same time.
        kind: `threads` or `processes`; None to choose by the engines.
        executor: `dask=ADDRESS` for a cluster; `jobs` and `kind` are then ignored.

    Raises:
        MatchError: The cluster cannot be used.
    """
    if executor is not None:
        return _Dask(dask_address(executor))
    if (kind or choose_kind(settings, jobs)) == "threads":
        return _Threads(jobs)
    return _Processes(jobs)
