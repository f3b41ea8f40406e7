"""The workers that play games: threads, processes, or a dask cluster.

Owns the interface of all kinds, the choice between them, and threads and processes as workers, each
with an executor of the interface of `concurrent.futures`.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from forthvm.autoplay.match.engine_specs import is_native
from forthvm.autoplay.match.pool import WorkerPool
from forthvm.autoplay.match.settings import MatchError
from forthvm.autoplay.match.worker import ThreadStatus, play_task, use_status
from forthvm.engines.registry import split_engine
from forthvm.system.limits import CAN_LIMIT_MEMORY

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.autoplay.match.game import Task
    from forthvm.autoplay.match.settings import Settings

__all__ = ["KINDS", "Workers", "choose_kind", "dask_address", "make_workers"]

KINDS = ("threads", "processes")
_FAST_ENGINES = frozenset({"random", "first", "chance"})
"""Engines so fast that a game spends most of its time in Python code around them."""


class Workers(ABC):
    """The workers of a match."""

    @property
    @abstractmethod
    def capacity(self) -> int:
        """The number of games that may be submitted at the same time."""

    @abstractmethod
    def submit(
        self,
        settings: Settings,
        task: Task,
        work: Callable[[Settings, Task], Any] = play_task,
    ) -> Future[Any]:
        """Submit a game; the future's result is that of `work(settings, task)`."""

    @abstractmethod
    def flush(self) -> None:
        """Send the submitted games to the workers, if `submit` has not sent them."""

    @abstractmethod
    def abandon(self) -> None:
        """End the workers immediately; their games are lost.  Further calls have no effect."""


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


class _Local(Workers):
    """Workers on this computer."""

    def __init__(self, executor: Executor, jobs: int) -> None:
        self._executor = executor
        self._jobs = jobs

    @property
    def capacity(self) -> int:
        return 2 * self._jobs

    def submit(
        self,
        settings: Settings,
        task: Task,
        work: Callable[[Settings, Task], Any] = play_task,
    ) -> Future[Any]:
        return self._executor.submit(work, settings, task)

    def flush(self) -> None:
        """Do nothing: `submit` sends the games."""


class _Threads(_Local):
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
            jobs,
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
        self._executor.shutdown(wait=False, cancel_futures=True)
        while not all(future.done() for future in self._running):
            for status in self._statuses:
                status.stop()
            time.sleep(0.01)
        self._executor.shutdown(wait=True)


class _Processes(_Local):
    def __init__(self, jobs: int) -> None:
        self.pool = WorkerPool(jobs)
        super().__init__(self.pool, jobs)

    def abandon(self) -> None:
        self.pool.kill()


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
    settings: Settings,
    *,
    jobs: int,
    kind: str | None = None,
    executor: str | None = None,
) -> Workers:
    """Create the workers of a match.

    Args:
        settings: The match.
        jobs: The number of games that are played at the same time.
        kind: `threads` or `processes`; None to choose by the engines.
        executor: `dask=ADDRESS` for a cluster; `jobs` and `kind` are then ignored.

    Raises:
        MatchError: The cluster cannot be used, or this system cannot limit the memory of workers.
    """
    if executor is not None:
        address = dask_address(executor)
        try:
            from forthvm.autoplay.match.cluster import Cluster  # needs dask.distributed
        except ImportError as error:
            raise MatchError(
                f"no cluster can be used: {error}", hints=("pip install 'forthvm[dask]'",)
            ) from None
        return Cluster(settings, address)
    if settings.memory is not None and not CAN_LIMIT_MEMORY:
        raise MatchError("this system cannot limit the memory of processes: leave out --memory")
    if (kind or choose_kind(settings, jobs)) == "threads":
        return _Threads(jobs)
    return _Processes(jobs)
