"""Stopping a search from another thread, even before it has entered its VM.

Owns the state shared by `play`, which runs a search in a VM, and `stop`.  It must not know what
is searched.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.bindings import NativeVM

__all__ = ["CONTINUE", "STOP_NOW", "STOP_SOON", "Stopper"]

CONTINUE, STOP_SOON, STOP_NOW = 0, 1, 2
"""Arguments of `NativeVM.engine_stop`."""


class Stopper:
    """A stop request; it is valid from the beginning of `play` to its end."""

    def __init__(self, mode: int = STOP_NOW) -> None:
        """`mode`: the request that the VM gets, `STOP_SOON` or `STOP_NOW`."""
        self._mode = mode
        self._lock = Lock()
        self._running: NativeVM | None = None
        self._requested = False

    def begin(self) -> None:
        """A search begins: earlier requests are void."""
        with self._lock:
            self._requested = False

    def stop(self) -> None:
        """Ends the current search, whether or not it has entered its VM; any thread."""
        with self._lock:
            self._requested = True
            if self._running is not None:
                self._running.engine_stop(self._mode)

    @contextmanager
    def running(self, native: NativeVM) -> Iterator[None]:
        """Within the block the search runs in this VM."""
        with self._lock:
            # This also clears a request that came too late for an earlier search in this VM.
            native.engine_stop(self._mode if self._requested else CONTINUE)
            self._running = native
        try:
            yield
        finally:
            with self._lock:
                self._running = None
