"""Plans: the ways to resume a stopped run.

Owns the kinds of plans and the result of a reverse-execution query.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forthvm.core.bindings import Until

__all__ = ["CLOSE", "Close", "Forward", "Goto", "Hit", "Plan", "ReverseQuery"]


@dataclass(frozen=True)
class Forward:
    """Continue the run until one of its conditions is true, or until a breakpoint or failure.

    Attributes:
        until: Stop when this condition has been true `count` times; None for no condition.
        count: How many times `until` must be true.
        step: Stop at this step; 0 for no step.
        reason: The reason to report if `until` or `step` stopped the run.
        from_here: Whether breakpoints at the next token stop the run, too.
    """

    until: Until | None = None
    count: int = 1
    step: int = 0
    reason: str = "step"
    from_here: bool = False


@dataclass(frozen=True)
class Goto:
    """Run from the last checkpoint before a step, and stop at exactly this step.

    Attributes:
        step: The step.
        reason: The reason to report for the stop.
        breakpoints: The numbers of the breakpoints and watchpoints at the step.
        note: An additional remark for the user.
    """

    step: int
    reason: str = "step"
    breakpoints: tuple[int, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """A step at which the condition of a reverse-execution query is true.

    Attributes:
        step: The step.
        calls: The number of open calls.
        line: The source positions of the line's start and end, and the number of the host's run, so
            that each run of a word has its own lines; zeros unless lines are counted.
        breakpoints: The numbers of the breakpoints and watchpoints with a true condition.
        changes_memory: Whether the token at the step changes watched memory.
    """

    step: int
    calls: int
    line: tuple[int, int, int] = (0, 0, 0)
    breakpoints: tuple[int, ...] = ()
    changes_memory: bool = False


class ReverseQuery:
    """A reverse-execution query: it collects all hits between two steps and selects one.

    Attributes:
        start: The first step.
        end: The step after the range.
        until: The condition for tokens; None for breakpoints and changes of watched memory.
        nth: Which hit to find, counted from the last hit, which has number 1.
        lines: Whether to count source lines instead of hits; the result is the first hit of a line.
        origin: The number of open calls and the line where the query began.
        hits: The hits in order of execution.
    """

    def __init__(  # noqa: PLR0913 - a record
        self,
        start: int,
        end: int,
        until: Until | None,
        *,
        nth: int = 1,
        lines: bool = False,
        origin: tuple[int, tuple[int, int, int]] = (0, (0, 0, 0)),
    ) -> None:
        self.start = start
        self.end = end
        self.until = until
        self.nth = nth
        self.lines = lines
        self.origin = origin
        self.hits: list[Hit] = []

    @property
    def widened(self) -> ReverseQuery:
        """The same query over a range eight times as long."""
        start = max(1, self.end - 8 * (self.end - self.start))
        return ReverseQuery(
            start, self.end, self.until, nth=self.nth, lines=self.lines, origin=self.origin
        )

    def result(self) -> Hit | None:
        """Return the selected hit; None if the range has too few hits."""
        if not self.lines:
            return self.hits[-self.nth] if len(self.hits) >= self.nth else None
        calls, line = self.origin
        at = len(self.hits) - 1
        for _ in range(self.nth):
            while at >= 0 and (self.hits[at].calls, self.hits[at].line) == (calls, line):
                at -= 1
            if at < 0:
                return None
            calls, line = self.hits[at].calls, self.hits[at].line
        while at > 0 and (self.hits[at - 1].calls, self.hits[at - 1].line) == (calls, line):
            at -= 1
        # The line of the range's first hit may begin before the range.
        return self.hits[at] if at > 0 or self.start <= 1 else None


class Close:
    """End the run at its current step."""


CLOSE = Close()
Plan = Forward | Goto | ReverseQuery | Close
