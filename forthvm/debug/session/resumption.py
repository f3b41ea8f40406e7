"""How a stopped run is resumed: forward, to a step, or back to what a query finds.

Owns the kinds of plans and what a reverse-execution query has found.  It must not know threads
or the trace.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from forthvm.core.value import Value

if TYPE_CHECKING:
    from forthvm.core.bindings import Until

__all__ = ["CLOSE", "Close", "Forward", "Goto", "Hit", "Plan", "ReverseQuery"]


class Forward(Value):
    """Go on; stop where `until` has come true `count` times, at a step, or at a breakpoint."""

    until: Until | None = None
    count: int = 1
    step: int = 0
    reason: str = "step"


class Goto(Value):
    """Stop at exactly that step, from the nearest checkpoint before it."""

    step: int
    reason: str = "step"
    breakpoints: tuple[int, ...] = ()
    note: str = ""


class Hit(NamedTuple):
    """A moment that a reverse-execution query has met."""

    step: int
    calls: int
    line: tuple[int, int]
    breakpoints: tuple[int, ...] = ()
    watch: bool = False


class ReverseQuery:
    """A reverse-execution query: run from one step to another and note matches, to find the last.

    Attributes:
        start: First step that counts.
        end: The step before which it ends.
        until: Which tokens are noted; None: breakpoints and changes.
        wanted: How many hits back.
        lines: Hits count by lines: the last one off the line `here`, back to its beginning.
        here: Calls and line of the moment that the query began at.
        hits: What was met.
    """

    def __init__(  # noqa: PLR0913 - a record
        self,
        start: int,
        end: int,
        until: Until | None,
        *,
        wanted: int = 1,
        lines: bool = False,
        here: tuple[int, tuple[int, int]] = (0, (0, 0)),
    ) -> None:
        self.start = start
        self.end = end
        self.until = until
        self.wanted = wanted
        self.lines = lines
        self.here = here
        self.hits: list[Hit] = []

    @property
    def wider(self) -> ReverseQuery:
        """The same over a stretch eight times as long."""
        start = max(1, self.end - 8 * (self.end - self.start))
        return ReverseQuery(
            start, self.end, self.until, wanted=self.wanted, lines=self.lines, here=self.here
        )

    def found(self) -> Hit | None:
        """Where to stop, None if that lies before the stretch."""
        if not self.lines:
            return self.hits[-self.wanted] if len(self.hits) >= self.wanted else None
        calls, line = self.here
        at = len(self.hits) - 1
        for _ in range(self.wanted):
            while at >= 0 and (self.hits[at].calls, self.hits[at].line) == (calls, line):
                at -= 1
            if at < 0:
                return None
            calls, line = self.hits[at].calls, self.hits[at].line
        while at > 0 and (self.hits[at - 1].calls, self.hits[at - 1].line) == (calls, line):
            at -= 1
        # The first hit of a stretch may stand in the middle of its line.
        return self.hits[at] if at > 0 or self.start <= 1 else None


class Close:
    """Leave the run wherever it is."""


CLOSE = Close()
Plan = Forward | Goto | ReverseQuery | Close
