"""Runs functions in processes that are killed when they take too long.

Owns the processes, each of which runs function after function.
"""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Empty, SimpleQueue
from threading import Event
from typing import TYPE_CHECKING, TypeVar

from forthvm.autoplay.match.worker_process import WorkerProcess
from forthvm.system.limits import CAN_LIMIT_MEMORY, limit_memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

__all__ = ["KilledError", "Workers"]

T = TypeVar("T")

MAX_TASKS = 40
"""After that many functions a process is replaced, which returns its memory to the system."""
MAX_BYTES = 1 << 30
"""Address space of a process; a game reserves much more than it uses."""
_POLL_SECONDS = 0.1
_START_SECONDS = 30.0


class KilledError(Exception):
    """A process ended, or was killed, before its function returned; the text says why."""


class _Worker:
    def __init__(self, stopped: Event) -> None:
        self._stopped = stopped
        self._process: WorkerProcess | None = None
        self._tasks = 0

    def run(self, function: Callable[..., T], arguments: tuple[object, ...], seconds: float) -> T:
        if self._process is None:
            process = WorkerProcess()
            process.wait_until_ready()
            self._process, self._tasks = process, 0
            if CAN_LIMIT_MEMORY:
                self._call(limit_memory, (MAX_BYTES,), _START_SECONDS)
        self._tasks += 1
        try:
            return self._call(function, arguments, seconds)
        finally:
            if self._tasks >= MAX_TASKS:
                self.end()

    def _call(self, function: Callable[..., T], arguments: tuple[object, ...], seconds: float) -> T:
        process = self._process
        assert process is not None
        process.send(function, arguments)
        deadline = time.monotonic() + seconds
        try:
            while (outcome := process.receive(_POLL_SECONDS)) is None:
                if self._stopped.is_set():
                    self.end(hung=True)
                    raise KilledError("the scan was stopped")
                if time.monotonic() > deadline:
                    self.end(hung=True)
                    raise KilledError(f"it takes longer than {seconds:g} s")
        except EOFError:
            self.end()
            raise KilledError(f"the process that loads it {process.ending_description()}") from None
        succeeded, value = outcome
        if not succeeded:
            raise value
        result: T = value
        return result

    def end(self, *, hung: bool = False) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end(hung=hung)


class Workers:
    """Processes that start when they are needed; a context manager that ends them."""

    def __init__(self, number: int) -> None:
        """Use at most `number` processes at a time."""
        self.number = number
        self._stopped = Event()
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        self._threads = ThreadPoolExecutor(number, "forthvm library")

    def __enter__(self) -> Self:
        """Return the object itself."""
        return self

    def __exit__(self, *_failure: object) -> None:
        """End the processes."""
        self.close()

    def close(self) -> None:
        """Kill the processes that run a function, and end the others."""
        self._stopped.set()
        self._threads.shutdown(cancel_futures=True)
        while (worker := self._next_idle()) is not None:
            worker.end()

    def submit(self, seconds: float, function: Callable[..., T], *arguments: object) -> Future[T]:
        """Call a function in a process, and kill the process after a number of seconds.

        The future may fail with KilledError, WorkerStartError, or the exception of the function.
        """
        return self._threads.submit(self._run, function, arguments, seconds)

    def _run(self, function: Callable[..., T], arguments: tuple[object, ...], seconds: float) -> T:
        worker = self._next_idle() or _Worker(self._stopped)
        try:
            return worker.run(function, arguments, seconds)
        finally:
            self._idle.put(worker)

    def _next_idle(self) -> _Worker | None:
        try:
            return self._idle.get_nowait()
        except Empty:
            return None
