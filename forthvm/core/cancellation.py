"""Cancelling work of another thread: the runs of VMs that the thread makes.

Owns the cancellation that applies to new VMs.  Each VM asks, when it is made, for the function that
it polls during its runs.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextvars import Token
    from types import TracebackType

__all__ = ["Cancellation", "current_poll"]


class Cancellation:
    """Ends runs from another thread, also those of VMs that do not exist yet.

    The runs of all VMs that are made in a `with` block end with `Interrupted` after `cancel` was
    called, during the block and later.  Runs of some thousand steps may still end normally.  For
    example, a thread that loads a script can be stopped before `forthvm.load` has returned.

    >>> import forthvm
    >>> with Cancellation() as cancellation:
    ...     game = forthvm.load("tictactoe")
    >>> cancellation.cancelled
    False
    """

    def __init__(self) -> None:
        self._cancelled = False
        self._outer: Token[Cancellation | None] | None = None

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled

    def cancel(self) -> None:
        """End the runs; any thread may call this method."""
        self._cancelled = True

    def __enter__(self) -> Cancellation:
        """Apply to the VMs that this thread makes until the end of the block."""
        self._outer = _CURRENT.set(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._outer is not None
        _CURRENT.reset(self._outer)


_CURRENT: ContextVar[Cancellation | None] = ContextVar("cancellation", default=None)


def current_poll() -> Callable[[], bool] | None:
    """Return the function that a new VM polls; None outside all blocks."""
    cancellation = _CURRENT.get()
    return None if cancellation is None else lambda: cancellation.cancelled
