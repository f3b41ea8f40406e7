"""The time limit of a query that runs a script many times, such as `why_not`.

Owns the limit of the whole query; `Budget.call_seconds` applies to each run separately.
"""

from __future__ import annotations

from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

from forthvm.core.errors import TimeLimitExceeded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.bindings import NativeVM

__all__ = ["DEFAULT_SECONDS", "TimeLimit"]

DEFAULT_SECONDS = 10.0
"""The default time limit of `why_not` and `explain`."""


class TimeLimit:
    """A time limit that starts when the object is created.

    Attributes:
        seconds: The limit in seconds; 0 for no limit.
    """

    def __init__(self, seconds: float) -> None:
        """Start the clock.

        Raises:
            ValueError: `seconds` is negative.
        """
        if seconds < 0:
            raise ValueError(f"seconds must not be negative: {seconds}")
        self.seconds = seconds
        # The clock of the VM; on Windows, that of `time.monotonic` is up to 16 ms behind.
        self._deadline = perf_counter() + seconds if seconds else None

    @property
    def is_over(self) -> bool:
        """Whether the time is used up."""
        return self._deadline is not None and perf_counter() >= self._deadline

    def check(self) -> None:
        """Raise an error if the time is used up; called between runs of the script.

        Raises:
            TimeLimitExceeded: the time is used up.
        """
        if self.is_over:
            raise TimeLimitExceeded

    @contextmanager
    def applied(self, native: NativeVM) -> Iterator[None]:
        """Apply the limit to the VM's runs inside the `with` block.

        When the time is used up, the current run fails with TimeLimitExceeded.
        """
        with native.deadline(self._deadline):
            yield
