"""The thread of a session, seen from outside: plans, calls, and waiting for stops.

Owns the exchange with the worker, which works in that thread.
"""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypeVar

from forthvm.core.errors import ForthVMError
from forthvm.system.interrupts import next_item

from .resumption import CLOSE

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.core.bindings import NativeVM, Trace

    from .resumption import Plan
    from .state import State
    from .worker import Worker

__all__ = ["WorkerThread"]

_R = TypeVar("_R")

_CLOSE_SECONDS = 10.0
_CALL_SECONDS = 1.0  # between checks whether a session was closed


class WorkerThread:
    """A thread in which a worker runs a target.

    Attributes:
        running: Whether the target was resumed, and its stop has not been received yet.
    """

    def __init__(self, worker: Worker, native: NativeVM) -> None:
        """Start the thread; the target runs to its entry."""
        self.running = True
        self._worker = worker
        self._native = native
        self._thread = threading.Thread(target=worker.work, name="forthvm-debug", daemon=True)
        self._thread.start()

    @property
    def closed(self) -> bool:
        """Whether the worker has ended."""
        return not self._thread.is_alive()

    def trace(self) -> Trace:
        """Return the trace of the run.

        Raises:
            ForthVMError: The session is closed.
        """
        worker = self._worker
        if worker.trace is None or worker.closing or self.closed:
            raise ForthVMError("this session is closed")
        return worker.trace

    def start(self, plan: Plan) -> None:
        """Resume the target.

        Raises:
            ForthVMError: The target is running, or the session is closed.
        """
        self.trace()
        if self.running:
            raise ForthVMError("the target is running: pause it first")
        self.running = True
        self._worker.pausing = False
        self._worker.requests.put(plan)

    def request_pause(self) -> None:
        """Request that the run stops at its next token."""
        if self.running:
            self._worker.pausing = True
            self.trace().pause()

    def wait(self, timeout: float | None = None) -> State:
        """Wait until the target stops, and return its state; Ctrl-C stops it.

        Raises:
            TimeoutError: It did not stop within `timeout` seconds.
        """
        while True:
            try:
                stops = self._worker.stops
                stop = next_item(stops) if timeout is None else stops.get(timeout=timeout)
                break
            except Empty as error:
                raise TimeoutError(f"the target still runs after {timeout} s") from error
            except KeyboardInterrupt:
                if self._worker.trace is None:
                    raise
                self.request_pause()
        self.running = False
        if isinstance(stop, BaseException):
            self._thread.join(_CLOSE_SECONDS)  # its last act was to send the exception
            raise stop
        return stop

    def call(self, function: Callable[[], _R]) -> _R:
        """Call a function in the thread and return its result; see `Session.call`.

        Raises:
            ForthVMError: The session is closed.
        """
        trace = self.trace()
        if threading.current_thread() is self._thread:
            return function()
        results: SimpleQueue[tuple[_R | None, BaseException | None]] = SimpleQueue()

        def call() -> None:
            try:
                results.put((function(), None))
            except BaseException as error:
                results.put((None, error))

        self._worker.requests.put(call)
        if self.running:
            trace.pause()
        while True:
            try:
                value, error = results.get(timeout=_CALL_SECONDS)
                break
            except Empty:
                self.trace()  # the session may have been closed
        if error is not None:
            raise error
        return value  # type: ignore[return-value]  # the result of the function

    def close(self) -> None:
        """End the run and the thread; further calls do nothing."""
        worker = self._worker
        worker.closing = True
        if self._thread.is_alive():
            worker.requests.put(CLOSE)
            if worker.trace is not None and self.running:
                worker.trace.pause()
                self._native.interrupt()
            self._thread.join(_CLOSE_SECONDS)
