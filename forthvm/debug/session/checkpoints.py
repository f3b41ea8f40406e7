"""Checkpoints: snapshots at the beginning of a target and between its operations.

Owns the number of checkpoints: when there are more than 64, every second one is removed.  No
snapshot can be taken inside an operation, because C code is running; a session reaches a step there
by running forward from a checkpoint.  The module must not know why a run goes back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from forthvm.core.bindings import Snapshot

__all__ = ["Checkpoint", "History"]

_MAX_CHECKPOINTS = 64


class Checkpoint(NamedTuple):
    """A snapshot between operations.

    Attributes:
        step: The number of tokens executed before the snapshot.
        operation: The index of the next operation.
        memory: The snapshot.
    """

    step: int
    operation: int
    memory: Snapshot


class History:
    """The checkpoints of one target, in order."""

    def __init__(self, start: Snapshot) -> None:
        self.points = [Checkpoint(0, 0, start)]
        self._interval = 1

    def is_due(self, operation: int) -> bool:
        """Whether a checkpoint should be made before an operation."""
        return operation > self.points[-1].operation and operation % self._interval == 0

    def add(self, point: Checkpoint) -> None:
        """Add a checkpoint; it must come after all others."""
        self.points.append(point)
        if len(self.points) > _MAX_CHECKPOINTS:
            self._interval *= 2
            self.points = [p for p in self.points if p.operation % self._interval == 0]

    def before(self, step: int) -> Checkpoint:
        """Return the last checkpoint from which a step can be reached by running forward."""
        return next(point for point in reversed(self.points) if point.step < step or not point.step)
