"""A thread that analyses scripts after their texts change.

Owns when an analysis starts: after a pause in typing, and one at a time.  Changes during an
analysis lead to one more analysis.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["Worker"]

_LOG = logging.getLogger(__name__)


class Worker:
    """Runs a function in a thread for each path that was requested.

    Args:
        work: Called with a path; exceptions are logged.
        pause: Seconds without requests before the function is called.
    """

    def __init__(self, work: Callable[[Path], None], pause: float) -> None:
        self._work = work
        self._pause = pause
        self._changed = threading.Condition()
        self._requested: dict[Path, None] = {}
        self._last_request = 0.0
        self._thread: threading.Thread | None = None

    def request(self, path: Path) -> None:
        """Call the function for a path soon; the last requested path comes first."""
        with self._changed:
            self._requested.pop(path, None)
            self._requested[path] = None
            self._last_request = time.monotonic()
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="analysis", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            path = self._next()
            try:
                self._work(path)
            except Exception:  # a defect; the next change gets another chance
                _LOG.exception("the analysis of %s failed", path)

    def _next(self) -> Path:
        """Wait for a request, then for a pause; return the path."""
        with self._changed:
            while True:
                if not self._requested:
                    self._changed.wait()
                    continue
                remaining = self._last_request + self._pause - time.monotonic()
                if remaining <= 0:
                    path, _ = self._requested.popitem()
                    return path
                self._changed.wait(remaining)
