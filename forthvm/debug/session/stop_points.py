"""What breakpoints and watchpoints share: conditions, counts of hits, and log messages.

Owns the decision whether a hit stops the run.  Hits are counted on the time line: a hit belongs to
its step, so going back takes it back, and running forward again does not count it twice.
"""

from __future__ import annotations

import operator
import re
from array import array
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["StopPoint"]

_HITS = re.compile(r"\s*(=|==|>=|>|<=|<|%|)\s*(\d{1,18})\s*\Z")
_OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "": operator.eq,
    "=": operator.eq,
    "==": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "%": lambda hits, number: hits % number == 0,
}
_EXPRESSION = re.compile(r"\{([^{}]*)\}")


class StopPoint:
    """A breakpoint or watchpoint.

    Attributes:
        number: The number that identifies it in commands.
        text: The text from which it was made, without the condition.
        condition: Forth that leaves a flag; "" without a condition.
        hit_condition: Which hits stop the run: `3` only the third, `>= 3`, `> 3`, `<= 3`, `< 3`,
            `% 3` every third; "" for all hits.
        log: The message that is logged instead of stopping the run; "" to stop.
        enabled: Whether it stops runs.
        hits: How often it was reached with a true condition, up to the current step; the count
            begins where the point was set.
        fault: The error of the last evaluation of the condition; "" without an error.
    """

    def __init__(
        self, number: int, text: str, *, condition: str = "", hits: str = "", log: str = ""
    ) -> None:
        """Make the point.

        Raises:
            ForthVMError: `hits` is no hit condition.
        """
        self.number = number
        self.text = text
        self.condition = condition
        self.log = log
        self.enabled = True
        self.hits = 0
        self.fault = ""
        self._steps = array("Q")  # of the hits, in order
        self.stop_at_hits(hits)

    def stop_at_hits(self, hit_condition: str) -> None:
        """Set the hit condition.

        Raises:
            ForthVMError: It is no hit condition.
        """
        match = _HITS.match(hit_condition or ">0")
        if match is None or (match[1] == "%" and not int(match[2])):
            raise ForthVMError(
                f"hits: {hit_condition!r} is not a number, nor one after =, >=, >, <=, < or %"
            )
        self.hit_condition = hit_condition
        self._compare, self._number = _OPERATORS[match[1]], int(match[2])

    def add_hit(self, step: int) -> bool:
        """Count a hit; return False if the run has passed it before."""
        at = bisect_left(self._steps, step)
        is_new = at == len(self._steps) or self._steps[at] != step
        if is_new:
            self._steps.insert(at, step)
        self.hits = at + 1
        return is_new

    def go_to(self, step: int) -> None:
        """Set `hits` to the count at a step."""
        self.hits = bisect_right(self._steps, step)

    def stops_at(self, step: int) -> bool:
        """Whether the hit at a step stops the run.

        With a hit condition, only hits that the run passed forward count.
        """
        if self.log:
            return False
        if not self.hit_condition:
            return True
        hits = bisect_right(self._steps, step)
        is_known = hits > 0 and self._steps[hits - 1] == step
        return is_known and self._compare(hits, self._number)

    def message(self, evaluate: Callable[[str], str]) -> str:
        """Return the log message, with the results of its expressions in braces."""
        return _EXPRESSION.sub(lambda match: evaluate(match[1]), self.log)

    @property
    def conditions(self) -> str:
        """The conditions and the log message as text, for lists of breakpoints."""
        parts = [
            f" if {self.condition}" if self.condition else "",
            f" (hits {self.hit_condition})" if self.hit_condition else "",
            f" (log {self.log!r})" if self.log else "",
        ]
        return "".join(parts)
