"""Worker processes behind the interface of `concurrent.futures`, each watched over.

Owns their life: started fresh, fed one task at a time, ended when they hang, replaced when
they die.  It must not know matches; what a worker was doing it passes on.

`ProcessPoolExecutor` is not used because one dead worker breaks all of it, and because it
cannot end one that hangs.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING, Any

from forthvm.autoplay.match.worker import NOTHING
from forthvm.autoplay.match.worker_process import WorkerProcess, WorkerStartError

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.autoplay.match.worker import Report

__all__ = ["WorkerLost", "WorkerPool", "WorkerStartError"]

_LOOK = 0.25
"""Seconds between looks at a busy worker."""
_SLACK = 2.0
"""Seconds given to a worker that is about to notice a limit by itself."""


class WorkerLost(Exception):  # noqa: N818 - told to whoever submitted the task
    """A worker ended, or was ended, in the middle of a task.

    Attributes:
        report: What it last said.
        hung: It did not answer in time, and was ended for that.
        why: How it ended, in words.
    """

    def __init__(self, report: Report, *, hung: bool, why: str) -> None:
        super().__init__(why)
        self.report = report
        self.hung = hung
        self.why = why


_Work = tuple["Future[Any]", "Callable[..., Any]", tuple[Any, ...]]


class WorkerPool(Executor):
    """Processes that do one task at a time.

    Futures fail with `WorkerStartError` where there is no worker, with `WorkerLost` where one
    did not come back, else with what the task raised.
    """

    def __init__(self, workers: int) -> None:
        """Processes are started when there is work for them.

        Args:
            workers: How many.
        """
        self._queue: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._closed = False
        self._lanes = [_Lane(self._queue) for _ in range(workers)]
        for lane in self._lanes:
            lane.start()

    @property
    def processes(self) -> list[int]:
        """Process ids of the workers that live."""
        return [pid for lane in self._lanes if (pid := lane.pid) is not None]

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ANN401 - as the base has it
        """Has a worker do `fn(*args)`; both must be picklable."""
        if self._closed:
            raise RuntimeError("the pool is closed")
        if kwargs:
            raise TypeError("tasks have no named arguments here")
        future: Future[Any] = Future()
        self._queue.put((future, fn, args))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the workers when they have done what is to be done.

        Args:
            wait: Return when they have ended.
            cancel_futures: What has not begun is left out.
        """
        if not self._closed:
            self._closed = True
            if cancel_futures:
                self._cancel()
            for _ in self._lanes:
                self._queue.put(None)
        if wait:
            for lane in self._lanes:
                lane.join()

    def kill(self) -> None:
        """Ends the workers at once, whatever they are doing."""
        self._closed = True
        self._cancel()
        for _ in self._lanes:
            self._queue.put(None)
        for lane in self._lanes:
            lane.kill()
        for lane in self._lanes:
            lane.join()

    def _cancel(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                work = self._queue.get_nowait()
                if work is not None:
                    work[0].cancel()


class _Lane(threading.Thread):
    """One worker process, or its successor, and the thread that watches it."""

    def __init__(self, work: queue.SimpleQueue[_Work | None]) -> None:
        super().__init__(name="forthvm worker", daemon=True)
        self._work = work
        self._process: WorkerProcess | None = None
        self._killed = False
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        process = self._process
        return None if process is None else process.pid

    def run(self) -> None:
        try:
            while (work := self._work.get()) is not None:
                future, fn, args = work
                if not future.set_running_or_notify_cancel():
                    continue
                try:
                    future.set_result(self._do(fn, args))
                except BaseException as error:  # it is raised where the future is asked
                    future.set_exception(error)
        finally:
            with self._lock:
                process, self._process = self._process, None
            if process is not None:
                process.end()

    def kill(self) -> None:
        """End the process; the task in it fails."""
        with self._lock:
            self._killed = True
            if self._process is not None:
                self._process.kill()

    def _do(self, fn: Callable[..., Any], args: tuple[Any, ...]) -> object:
        process = self._living()
        try:
            process.wait_until_ready()
        except WorkerStartError:
            self._process = None
            raise
        try:
            process.connection.send((fn, args))
            self._await(process)
            good, value = process.connection.recv()
        except (EOFError, OSError):
            raise self._lost(process, hung=False) from None
        if good:
            found: object = value
            return found
        raise value

    def _living(self) -> WorkerProcess:
        """The process that takes the next task, a new one if the last has died at rest."""
        with self._lock:
            if self._process is not None and self._process.ready and not self._process.alive:
                self._process.end()
                self._process = None
            if self._killed:
                raise WorkerLost(NOTHING, hung=False, why="ended")
            if self._process is None:
                self._process = WorkerProcess()
            return self._process

    def _await(self, process: WorkerProcess) -> None:
        """Waits for an answer as long as the worker says that it may take."""
        while not process.connection.poll(_LOOK):
            if not process.alive and not process.connection.poll(0):
                # Without this a child of its own that has the connection would be waited for.
                raise EOFError
            deadline = process.status.read().deadline
            if deadline and time.monotonic() > deadline + _SLACK:
                raise self._lost(process, hung=True)

    def _lost(self, process: WorkerProcess, *, hung: bool) -> WorkerLost:
        """What is known of a worker that is no more; the next task gets another."""
        report = process.end(hung=hung)
        self._process = None
        why = "did not answer in time" if hung else process.how_it_ended()
        return WorkerLost(report, hung=hung, why=why)
