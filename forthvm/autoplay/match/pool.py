"""A pool of supervised worker processes with the interface of `concurrent.futures`.

Owns the life of the processes: it starts them, gives each one task at a time, ends those that
hang and replaces those that died.  It must not know matches; it passes on what a lost worker was
doing.

`ProcessPoolExecutor` is not used because a single dead worker breaks the whole pool, and because
it cannot end a worker that hangs.
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

_POLL_SECONDS = 0.25
"""Seconds between two checks of a busy worker."""
_SLACK = 2.0
"""Additional seconds in which a worker may notice by itself that a limit is exceeded."""


class WorkerLost(Exception):  # noqa: N818 - the exception of a future
    """A worker process ended, or was ended, in the middle of a task.

    Attributes:
        report: Its last report.
        hung: Whether it was ended because it did not answer in time.
        why: A description of how it ended.
    """

    def __init__(self, report: Report, *, hung: bool, why: str) -> None:
        super().__init__(why)
        self.report = report
        self.hung = hung
        self.why = why


_Work = tuple["Future[Any]", "Callable[..., Any]", tuple[Any, ...]]


class WorkerPool(Executor):
    """Processes that each run one task at a time.

    A future fails with `WorkerStartError` if no worker could be started, with `WorkerLost` if
    the worker ended during the task, and else with the exception of the task.
    """

    def __init__(self, workers: int) -> None:
        """Starts the threads; each starts its process when it gets a task.

        Args:
            workers: The number of processes.
        """
        self._queue: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._closed = False
        self._lanes = [_Lane(self._queue) for _ in range(workers)]
        for lane in self._lanes:
            lane.start()

    @property
    def processes(self) -> list[int]:
        """The process ids of the running workers."""
        return [pid for lane in self._lanes if (pid := lane.pid) is not None]

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ANN401 - as the base has it
        """Runs `fn(*args)` in a worker; both must be picklable."""
        if self._closed:
            raise RuntimeError("the pool is closed")
        if kwargs:
            raise TypeError("tasks cannot have keyword arguments")
        future: Future[Any] = Future()
        self._queue.put((future, fn, args))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the workers after all submitted tasks.

        Args:
            wait: Return when the workers have ended.
            cancel_futures: Cancel tasks that have not begun.
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
        """Ends the workers at once, even in the middle of tasks."""
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
    """The thread that supervises one worker process and replaces it when it dies."""

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
                except BaseException as error:  # `future.result` raises it
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
        process = self._live_process()
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

    def _live_process(self) -> WorkerProcess:
        """The process for the next task, a new one if the last one died while idle."""
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
        """Waits for an answer until the deadline in the worker's status."""
        while not process.connection.poll(_POLL_SECONDS):
            if not process.alive and not process.connection.poll(0):
                # A child process of the dead worker may still have the connection open.
                raise EOFError
            deadline = process.status.read().deadline
            if deadline and time.monotonic() > deadline + _SLACK:
                raise self._lost(process, hung=True)

    def _lost(self, process: WorkerProcess, *, hung: bool) -> WorkerLost:
        """Ends a worker and describes how it was lost; the next task gets a new process."""
        report = process.end(hung=hung)
        self._process = None
        why = "did not answer in time" if hung else process.how_it_ended()
        return WorkerLost(report, hung=hung, why=why)
