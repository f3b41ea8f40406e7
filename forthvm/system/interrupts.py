"""Ctrl-C, and Ctrl-Break on Windows.

On Windows, Ctrl-C does not interrupt a thread that waits without a time limit.  Therefore the
functions of this file wait repeatedly for a short time.
"""

from __future__ import annotations

import signal
import sys
from queue import Empty
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Future
    from queue import SimpleQueue
    from threading import Thread
    from typing import Any, TypeVar

    _T = TypeVar("_T")

__all__ = ["ignore_interrupts", "next_item", "wait_for_end", "wait_for_thread"]

_INTERVAL = 0.2

if sys.platform == "win32":
    _SIGNALS = (signal.SIGINT, signal.SIGBREAK)
else:
    _SIGNALS = (signal.SIGINT,)


def ignore_interrupts() -> None:
    """Make Ctrl-C have no effect on this process, but on programs that it starts."""
    for number in _SIGNALS:
        signal.signal(number, _do_nothing)  # programs would inherit SIG_IGN


def _do_nothing(_signal: int, _frame: object) -> None:
    """A signal handler without effect."""


def next_item(queue: SimpleQueue[_T]) -> _T:
    """Wait for an item of a queue.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    while True:
        try:
            return queue.get(timeout=_INTERVAL)
        except Empty:
            continue


def wait_for_thread(thread: Thread) -> None:
    """Wait for the end of a thread.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    while thread.is_alive():
        thread.join(_INTERVAL)


def wait_for_end(future: Future[Any]) -> BaseException | None:
    """Wait for the end of the work of a future, and return its exception.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    while True:
        try:
            return future.exception(_INTERVAL)
        except TimeoutError:
            continue
