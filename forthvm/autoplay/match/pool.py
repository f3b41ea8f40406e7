"""A pool of supervised worker processes with the interface of `concurrent.futures`.

Owns the lifetime of the processes: it starts them, sends each process one task at a time, ends
processes that hang, and replaces processes that died.  A worker that hangs or dies during a task is
*lost*.

`ProcessPoolExecutor` is not used because one dead worker makes all its tasks fail, and because it
cannot end a worker that hangs.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING, Any

from forthvm.autoplay.match.worker import NO_REPORT
from forthvm.autoplay.match.worker_process import WorkerProcess, WorkerStartError

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.autoplay.match.worker import Report

__all__ = ["WorkerLost", "WorkerPool", "WorkerStartError"]

_POLL_SECONDS = 0.25
"""Seconds between two checks of a busy worker."""
_EXTRA_SECONDS = 2.0
"""Seconds after a worker's deadline in which the worker itself may detect that it is late."""


class WorkerLost(Exception):  # noqa: N818 - the exception of a future
    """A worker process ended, or was ended, in the middle of a task.

    Attributes:
        report: The last report of the worker.
        hung: Whether the worker was ended because it did not answer in time.
        reason: A description of the worker's end.
    """

    def __init__(self, report: Report, hung: bool, reason: str) -> None:
        super().__init__(report, hung, reason)  # so that the exception can be pickled
        self.report = report
        self.hung = hung
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


_QueuedTask = tuple["Future[Any]", "Callable[..., Any]", tuple[Any, ...]]


class WorkerPool(Executor):
    """Processes that each run one task at a time.

    A future fails with `WorkerStartError` if no worker could be started, with `WorkerLost` if the
    worker ended during the task, and otherwise with the exception of the task.
    """

    def __init__(self, workers: int) -> None:
        """Start the supervising threads.  Each starts its process when it has a first task.

        Args:
            workers: The number of processes.
        """
        self._queue: queue.SimpleQueue[_QueuedTask | None] = queue.SimpleQueue()
        self._closed = False
        self._supervisors = [_Supervisor(self._queue) for _ in range(workers)]
        for supervisor in self._supervisors:
            supervisor.start()

    @property
    def processes(self) -> list[int]:
        """The process ids of the running workers."""
        return [pid for supervisor in self._supervisors if (pid := supervisor.pid) is not None]

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ANN401 - as in the base class
        """Run `fn(*args)` in a worker; both must be picklable."""
        if self._closed:
            raise RuntimeError("the pool is closed")
        if kwargs:
            raise TypeError("tasks cannot have keyword arguments")
        future: Future[Any] = Future()
        self._queue.put((future, fn, args))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers after all submitted tasks.

        Args:
            wait: Whether to wait until the workers have ended.
            cancel_futures: Whether to cancel tasks that have not begun.
        """
        if not self._closed:
            self._closed = True
            if cancel_futures:
                self._cancel()
            for _ in self._supervisors:
                self._queue.put(None)
        if wait:
            for supervisor in self._supervisors:
                supervisor.join()

    def kill(self) -> None:
        """Kill the workers, even during tasks."""
        self._closed = True
        self._cancel()
        for _ in self._supervisors:
            self._queue.put(None)
        for supervisor in self._supervisors:
            supervisor.kill()
        for supervisor in self._supervisors:
            supervisor.join()

    def _cancel(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                task = self._queue.get_nowait()
                if task is not None:
                    future, _, _ = task
                    future.cancel()


class _Supervisor(threading.Thread):
    """The thread that supervises one worker process and replaces it when it dies."""

    def __init__(self, tasks: queue.SimpleQueue[_QueuedTask | None]) -> None:
        super().__init__(name="forthvm worker", daemon=True)
        self._queue = tasks
        self._process: WorkerProcess | None = None
        self._killed = False
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        process = self._process
        return None if process is None else process.pid

    def run(self) -> None:
        try:
            while (task := self._queue.get()) is not None:
                future, fn, args = task
                if not future.set_running_or_notify_cancel():
                    continue
                try:
                    future.set_result(self._run_task(fn, args))
                except BaseException as error:  # `future.result` raises it
                    future.set_exception(error)
        finally:
            with self._lock:
                process, self._process = self._process, None
            if process is not None:
                process.end()

    def kill(self) -> None:
        """Kill the process; its task fails."""
        with self._lock:
            self._killed = True
            if self._process is not None:
                self._process.kill()

    def _run_task(self, fn: Callable[..., Any], args: tuple[Any, ...]) -> object:
        process = self._live_process()
        try:
            process.wait_until_ready()
        except WorkerStartError:
            self._process = None
            raise
        try:
            process.send(fn, args)
            succeeded, value = self._wait_for_result(process)
        except EOFError:
            raise self._end_lost_worker(process, hung=False) from None
        if succeeded:
            result: object = value
            return result
        raise value

    def _live_process(self) -> WorkerProcess:
        """Return a process for the next task, after replacing a process that died while idle."""
        with self._lock:
            if self._process is not None and self._process.ready and not self._process.alive:
                self._process.end()
                self._process = None
            if self._killed:
                raise WorkerLost(NO_REPORT, hung=False, reason="ended")
            if self._process is None:
                self._process = WorkerProcess()
            return self._process

    def _wait_for_result(self, process: WorkerProcess) -> tuple[bool, Any]:
        """Wait for the result of a task: whether it succeeded, and its result or exception.

        Raises:
            WorkerLost: The deadline in the worker's status has passed.
            EOFError: The worker died.
        """
        while (outcome := process.receive(_POLL_SECONDS)) is None:
            deadline = process.status.read().deadline
            if deadline and time.monotonic() > deadline + _EXTRA_SECONDS:
                raise self._end_lost_worker(process, hung=True)
        return outcome

    def _end_lost_worker(self, process: WorkerProcess, *, hung: bool) -> WorkerLost:
        """End a lost worker and return the exception; the next task starts a new process."""
        report = process.end(hung=hung)
        self._process = None
        reason = "did not answer in time" if hung else process.ending_description()
        return WorkerLost(report, hung=hung, reason=reason)
