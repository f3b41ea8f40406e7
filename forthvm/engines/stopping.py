"""How a search is stopped from another thread, whenever the wish comes.

Owns the state between `play`, which begins and enters a VM, and `stop`.  It must not know what
is searched.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.bindings import NativeVM

__all__ = ["STOP_NOW", "STOP_SOON", "Stopper"]

_GO_ON, STOP_SOON, STOP_NOW = 0, 1, 2


class Stopper:
    """A wish to stop holds from the moment at which `play` begins until it ends."""

    def __init__(self, wish: int = STOP_NOW) -> None:
        """`wish`: what the VM is told, `STOP_SOON` or `STOP_NOW`."""
        self._wish = wish
        self._lock = Lock()
        self._running: NativeVM | None = None
        self._wanted = False

    def begin(self) -> None:
        """A search begins: earlier wishes are no wish any more."""
        with self._lock:
            self._wanted = False

    def stop(self) -> None:
        """Ends the search that has begun, in a VM already or not; any thread."""
        with self._lock:
            self._wanted = True
            if self._running is not None:
                self._running.engine_stop(self._wish)

    @property
    def wanted(self) -> bool:
        """Whether the search that has begun is to end."""
        return self._wanted

    @contextmanager
    def running(self, native: NativeVM) -> Iterator[None]:
        """The search runs in this VM while the block does."""
        with self._lock:
            # A wish that came too late for another engine of this VM is none for this one.
            native.engine_stop(self._wish if self._wanted else _GO_ON)
            self._running = native
        try:
            yield
        finally:
            with self._lock:
                self._running = None
