"""The time of a standard Forth: the words MS and TIME&DATE.

This file owns the pauses that a script makes.  If the host fixes the clock of a VM, pauses end at
once and the date is that of the clock, so that runs can be repeated.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from forthvm.core.records import Option

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.core.bindings import NativeVM

__all__ = ["Clock"]

_LONGEST_PAUSE = 20
"""In milliseconds: MS makes several pauses, between which the limits of the run are checked."""


class Clock:
    """The clock of one VM."""

    def __init__(self, native: NativeVM) -> None:
        self._native = native

    def words(self) -> tuple[tuple[str, str, Callable[..., object]], ...]:
        """Return the host words: name, stack effect, function."""
        return (
            ("$pause", "( n -- n2 )", self._pause),
            ("TIME&DATE", "( -- second minute hour day month year )", self._date),
        )

    def _pause(self, milliseconds: int) -> int:
        """Wait for a part of the time; return the rest."""
        if self._native.get_option(Option.FIXED_CLOCK):
            return 0
        part = min(milliseconds & 0xFFFFFFFF, _LONGEST_PAUSE)
        time.sleep(part / 1000)
        return (milliseconds & 0xFFFFFFFF) - part

    def _date(self) -> tuple[int, ...]:
        if self._native.get_option(Option.FIXED_CLOCK):
            now = time.gmtime(self._native.get_option(Option.CLOCK))
        else:
            now = time.localtime()
        return now.tm_sec, now.tm_min, now.tm_hour, now.tm_mday, now.tm_mon, now.tm_year
