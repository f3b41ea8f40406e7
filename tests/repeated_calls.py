"""Interrupts from another thread, for tests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

INTERVAL = 0.05  # seconds between two calls


@contextmanager
def called_repeatedly(function: Callable[[], object]) -> Iterator[None]:
    """Call a function in another thread until the block ends.

    A single interrupt could come before the block has begun the work that it should end.
    """
    ended = threading.Event()

    def call() -> None:
        while not ended.wait(INTERVAL):
            function()

    thread = threading.Thread(target=call)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
