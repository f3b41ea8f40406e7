"""The time that one question about a script may take in all.

Owns that limit: a question such as `why_not` runs the script many times, and each run would
have the whole of `Budget.question_seconds`.  It must not know what is asked.
"""

from __future__ import annotations

from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from forthvm.core.errors import TimeLimitExceeded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.bindings import NativeVM

__all__ = ["DEFAULT_SECONDS", "TimeLimit"]

DEFAULT_SECONDS = 10.0
"""What `why_not` and `explain` take at most unless the caller says otherwise."""


class TimeLimit:
    """A moment at which a question ends.

    Attributes:
        seconds: How long the question may take, 0: no limit.
    """

    def __init__(self, seconds: float) -> None:
        """Starts the clock.

        Raises:
            ValueError: `seconds` is negative.
        """
        if seconds < 0:
            raise ValueError(f"seconds must not be negative: {seconds}")
        self.seconds = seconds
        self._end = monotonic() + seconds if seconds else None

    @property
    def is_over(self) -> bool:
        """Whether the time is used up."""
        return self._end is not None and monotonic() >= self._end

    def check(self) -> None:
        """End a question between two runs of the script.

        Raises:
            TimeLimitExceeded: the time is used up.
        """
        if self.is_over:
            raise TimeLimitExceeded

    @contextmanager
    def holds(self, native: NativeVM) -> Iterator[None]:
        """End what the VM runs in the block when the time is used up.

        The run under way then fails with TimeLimitExceeded.
        """
        with native.deadline(self._end):
            yield
