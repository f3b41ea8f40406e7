"""Passes through a line that jumps enter in its middle, as in `foo THEN bar`.

Owns the decision whether a run enters such a line, or comes from an earlier word of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forthvm.core.bindings import TracePoint
    from forthvm.debug.code_map import FoundCode

__all__ = ["LinePasses"]


class LinePasses:
    """Follows a run through the cells of one line.

    Between a word and the next one in the same call, a run can execute any number of other calls,
    also of the same definition.  So the words are remembered by the number of open calls.

    Attributes:
        code: The code of the line.
        cells: The cells at which the trace must stop.
        enters: Whether the run enters the line with the cell of the last stop.
    """

    def __init__(self, code: FoundCode) -> None:
        self.code = code
        self._words_before = frozenset(code.words_before.values())
        self.cells = code.cells.union(code.starts, self._words_before)
        self.enters = False
        self._last: dict[tuple[int, int], tuple[int, int]] = {}  # by call: word and step

    def follow(self, stop: TracePoint, step: int) -> None:
        """Follow the run to a stop of the trace.

        Args:
            stop: The stop.
            step: The number of its token, which is the same each time the target runs.
        """
        self.enters = False
        if stop.executed or stop.ip not in self.cells:
            return
        call = stop.nesting, stop.calls
        before, last_step = self._last.pop(call, (0, 0))
        # After going back, the remembered step may be a later one.
        continues = last_step < step and before and before == self.code.words_before.get(stop.ip)
        self.enters = stop.ip in self.code.cells and not continues
        if stop.ip in self._words_before:
            self._last[call] = stop.ip, step
