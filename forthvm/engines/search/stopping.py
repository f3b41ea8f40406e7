"""Stopping a search from another thread, even before the search has entered its VM.

Owns the state that `Engine.play`, which runs a search, shares with `Engine.stop`.
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
        """Create the object; a stop request passes `mode` (STOP_SOON or STOP_NOW) to the VM."""
        self._mode = mode
        self._lock = Lock()
        self._native: NativeVM | None = None
        self._requested = False

    def begin(self) -> None:
        """Discard earlier requests.  Each call of `play` begins with this call."""
        with self._lock:
            self._requested = False

    def stop(self) -> None:
        """Request the end of the current call of `play`.  Any thread may call this."""
        with self._lock:
            self._requested = True
            if self._native is not None:
                self._native.engine_stop(self._mode)

    @contextmanager
    def running(self, native: NativeVM) -> Iterator[None]:
        """Pass stop requests to `native`, the VM of the search that runs in the block."""
        with self._lock:
            # CONTINUE clears a request that the VM received after the end of an earlier search.
            native.engine_stop(self._mode if self._requested else CONTINUE)
            self._native = native
        try:
            yield
        finally:
            with self._lock:
                self._native = None
