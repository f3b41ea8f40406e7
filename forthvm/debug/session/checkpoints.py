"""Where a target can be entered again: its beginning, and moments between its operations.

Owns those checkpoints, few enough for memory: when they become too many, every second one
goes.  Inside an operation there are none, since C is at work there; the way from a
checkpoint to a step is run again.  It must not know who goes back, nor why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from forthvm.core.bindings import Snapshot

__all__ = ["Checkpoint", "History"]

_MOST = 64


class Checkpoint(NamedTuple):
    """A state between operations: tokens counted before it, the operation that follows."""

    step: int
    operation: int
    memory: Snapshot


class History:
    """The checkpoints of one target, in order."""

    def __init__(self, start: Snapshot) -> None:
        self.points = [Checkpoint(0, 0, start)]
        self._every = 1

    def wants(self, operation: int) -> bool:
        """Whether the state before an operation is to be kept."""
        return operation > self.points[-1].operation and operation % self._every == 0

    def keep(self, point: Checkpoint) -> None:
        """Keep one more, behind all others."""
        self.points.append(point)
        if len(self.points) > _MOST:
            self._every *= 2
            self.points = [p for p in self.points if p.operation % self._every == 0]

    def before(self, step: int) -> Checkpoint:
        """The last one from which a step can be reached going forward."""
        return next(point for point in reversed(self.points) if point.step < step or not point.step)
