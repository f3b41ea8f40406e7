"""Checkpoints: snapshots at the beginning of a target and between its operations.

Owns the number of checkpoints: when there are more than 64, every second one is removed.  No
snapshot can be taken inside an operation, because C code is running; a session reaches a step there
by running forward from a checkpoint.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forthvm.core.bindings import Snapshot

__all__ = ["Checkpoint", "History"]

_MAX_CHECKPOINTS = 64


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A snapshot between operations.

    Attributes:
        step: The number of tokens executed before the snapshot.
        operation: The index of the next operation.
        memory: The snapshot.
        printed: The number of characters printed before the snapshot.
        runs: The number of words that the host executed before the snapshot.
    """

    step: int
    operation: int
    memory: Snapshot
    printed: int = 0
    runs: int = 0


class History:
    """The checkpoints of one target, in order."""

    def __init__(self, start: Snapshot) -> None:
        self._checkpoints = [Checkpoint(0, 0, start)]
        self._interval = 1

    def is_due(self, operation: int) -> bool:
        """Whether a checkpoint should be made before the operation with an index."""
        return operation > self._checkpoints[-1].operation and operation % self._interval == 0

    def add(self, checkpoint: Checkpoint) -> None:
        """Add a checkpoint that is later than all others."""
        self._checkpoints.append(checkpoint)
        if len(self._checkpoints) > _MAX_CHECKPOINTS:
            self._interval *= 2
            self._checkpoints = [
                earlier for earlier in self._checkpoints if earlier.operation % self._interval == 0
            ]

    def before(self, step: int) -> Checkpoint:
        """Return the last checkpoint from which a step can be reached by running forward."""
        return next(
            checkpoint
            for checkpoint in reversed(self._checkpoints)
            if checkpoint.step < step or not checkpoint.step
        )
