"""Stopping a search from another thread, even before it has entered its VM.

Owns the state shared by `play`, which runs a search in a VM, and `stop`.  It must not know the
kind of search.
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
        """Store the request for the VM: `mode` is `STOP_SOON` or `STOP_NOW`."""
        self._mode = mode
        self._lock = Lock()
        self._running: NativeVM | None = None
        self._requested = False

    def begin(self) -> None:
        """Discard earlier requests; called at the beginning of a search."""
        with self._lock:
            self._requested = False

    def stop(self) -> None:
        """End the current search, even if it has not entered its VM.  Any thread may call this."""
        with self._lock:
            self._requested = True
            if self._running is not None:
                self._running.engine_stop(self._mode)

    @contextmanager
    def running(self, native: NativeVM) -> Iterator[None]:
        """Pass stop requests to the VM `native` during the block, in which the search runs."""
        with self._lock:
            # This also clears a request that arrived after the end of an earlier search.
            native.engine_stop(self._mode if self._requested else CONTINUE)
            self._running = native
        try:
            yield
        finally:
            with self._lock:
                self._running = None
