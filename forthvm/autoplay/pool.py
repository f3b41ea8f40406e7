"""Worker processes behind the interface of `concurrent.futures`, each watched over.

Owns their life: started fresh (`spawn`), fed one task at a time, ended when they hang,
replaced when they die.  It must not know matches; what a worker was doing it passes on.

`ProcessPoolExecutor` is not used because one dead worker breaks all of it, and because it
cannot end one that hangs.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import queue
import signal
import sys
import threading
import time
from concurrent.futures import Executor, Future
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forthvm.autoplay.worker import NOTHING, SharedStatus, use_status

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.context import SpawnProcess

    from forthvm.autoplay.worker import Report

__all__ = ["WorkerLost", "WorkerPool"]

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

    Futures fail with `WorkerLost` where a worker did not come back, else with what the task
    raised.
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
        self._status: SharedStatus | None = None
        self._path: Path | None = None
        self._process: SpawnProcess | None = None
        self._connection: Connection[Any, Any] | None = None
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
            self._end()

    def kill(self) -> None:
        """End the process; the task in it fails."""
        with self._lock:
            self._killed = True
            if self._process is not None:
                self._process.kill()

    def _do(self, fn: Callable[..., Any], args: tuple[Any, ...]) -> object:
        connection = self._connected()
        try:
            connection.send((fn, args))
            self._await(connection)
            good, value = connection.recv()
        except (EOFError, OSError):
            raise self._lost(hung=False) from None
        if good:
            found: object = value
            return found
        raise value

    def _connected(self) -> Connection[Any, Any]:
        """The way to a living process."""
        with self._lock:
            process = self._process
            if process is not None and not process.is_alive():  # it died at rest
                self._forget()
            if self._connection is None:
                self._start_process()
            assert self._connection is not None
            return self._connection

    def _start_process(self) -> None:
        if self._killed:
            raise self._lost(hung=False)
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._status, self._path = SharedStatus.create()
        self._process = context.Process(
            target=_serve,
            args=(theirs, self._path),
            name="forthvm worker",
        )
        try:
            _block_interrupts()
            self._process.start()
        except BaseException:
            self._process = None
            raise
        finally:
            theirs.close()
        self._connection = ours

    def _await(self, connection: Connection[Any, Any]) -> None:
        """Waits for an answer as long as the worker says that it may take."""
        process, status = self._process, self._status
        assert process is not None
        assert status is not None
        while not wait([connection, process.sentinel], timeout=_LOOK):
            deadline = status.read().deadline
            if deadline and time.monotonic() > deadline + _SLACK:
                process.kill()
                process.join()
                raise self._lost(hung=True)

    def _lost(self, *, hung: bool) -> WorkerLost:
        """What is known of a worker that is no more; the next task gets another."""
        process = self._process
        report = NOTHING if self._status is None else self._status.read_game()
        why = "did not answer in time"
        if process is None:
            why = "ended"
        elif not hung:
            process.join(_SLACK)
            if process.is_alive():
                process.kill()
                process.join()
            why = _how(process.exitcode)
        self._forget()
        return WorkerLost(report, hung=hung, why=why)

    def _forget(self) -> None:
        if self._connection is not None:
            self._connection.close()
        if self._status is not None:
            self._status.close()
        if self._path is not None:  # the process may have ended before it removed the name
            self._path.unlink(missing_ok=True)
        self._path = None
        self._process = self._connection = self._status = None

    def _end(self) -> None:
        """Lets the process end by itself; it does when nobody is at the other end."""
        with self._lock:
            process = self._process
            self._forget()
        if process is not None:
            process.join(_SLACK)
            if process.is_alive():
                process.kill()
                process.join()


def _block_interrupts() -> None:
    """Has processes that this thread starts hear of no Ctrl-C until they are ready for it."""
    if hasattr(signal, "pthread_sigmask"):
        resource_tracker.ensure_running()  # it would unblock them when it is first started
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _how(exitcode: int | None) -> str:
    if exitcode is None:
        return "stopped answering"
    if exitcode < 0:
        try:
            return f"was ended by {signal.Signals(-exitcode).name}"
        except ValueError:
            return f"was ended by signal {-exitcode}"
    return f"ended with status {exitcode}"


# --- in the process ---------------------------------------------------------------------------


def _serve(connection: Connection[Any, Any], path: Path) -> None:
    """Does tasks until nobody sends any more."""
    # Ctrl-C is for the parent to hear.  Handled rather than ignored: programs that an engine
    # starts would inherit that.
    signal.signal(signal.SIGINT, _nothing)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    # What an engine prints must not get between the parent's lines.
    with contextlib.suppress(OSError, ValueError):
        os.dup2(2, 1)
    sys.stdout = sys.stderr
    status = SharedStatus(path)
    with contextlib.suppress(OSError):  # in use, on systems that mind
        path.unlink()
    use_status(status)
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            fn, args = connection.recv()
            try:
                answer = (True, fn(*args))
            except BaseException as error:
                answer = (False, error)
            _send(connection, answer)


def _nothing(_signal: int, _frame: object) -> None:
    """Is done about a signal."""


def _send(connection: Connection[Any, Any], answer: tuple[bool, object]) -> None:
    try:
        connection.send(answer)
    except (
        TypeError,
        ValueError,
        AttributeError,
        pickle.PicklingError,
    ) as error:  # it cannot be pickled
        connection.send((False, RuntimeError(f"{type(answer[1]).__name__}: {answer[1]}; {error}")))


def _end_with(sentinel: int) -> None:
    """Ends this process when its parent has ended, whatever it is doing."""
    wait([sentinel])
    os._exit(1)
