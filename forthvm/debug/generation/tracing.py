"""The control of the trace while moves are generated.

Owns the steps at which the generation stops, the choice of the logged tokens, and the inversion of
decisions.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from forthvm.core.bindings.trace import Mark, Reason, Trace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from forthvm.core.bindings.trace import Record, TracePoint

    from .traced_generation import TracedGeneration

__all__ = ["Inversion", "RunFollower", "TraceControl", "tracing"]

_LOG_CELLS = 1 << 21  # the capacity of the log of all runs
_MAX_IF_RUNS = 5000
"""When the log is full, IFs that ran more often than this are removed from it."""
_RUN_CELLS = 1 << 16  # the capacity of the log of one run
_ALL_MARKS = Mark.WORD | Mark.WORD_LOG | Mark.CELL_LOG


@dataclass(frozen=True, slots=True)
class Inversion:
    """A decision to be inverted: at this step, `flag` replaces the flag on the stack."""

    step: int
    flag: int


class TraceControl:
    """Controls the trace during a generation and collects its log.

    Attributes:
        records: The log records of all runs, or of one run from a step on.
        log_full: Whether a run filled the log, so that later tokens of the run are missing.
        busy_branches: The addresses of IFs that ran too often to be logged.
    """

    def __init__(
        self, traced: TracedGeneration, first_step: int = 0, inversions: Sequence[Inversion] = ()
    ) -> None:
        """Log one run from `first_step` on; if it is 0, log all runs."""
        self.records: list[Record] = []
        self.trace: Trace | None = None
        self.traced = traced
        self._first_step = first_step
        self._inversions = list(reversed(inversions))
        self._is_logging = False
        self.log_full = False
        self.busy_branches: set[int] = set()

    def begin(self) -> None:
        """Prepare the trace before the generation runs."""
        assert self.trace is not None
        self.trace.restart()
        if self._first_step:
            self._set_next_stop()
        else:
            self._is_logging = True
            self.trace.log(_LOG_CELLS)
            self._mark(
                Mark.WORD_LOG,
                self.traced.logged_words | self.traced.move_words | {self.traced.branch_word},
            )

    def end(self) -> None:
        """Read the remaining log entries after the generation."""
        assert self.trace is not None
        if self._is_logging:
            self.records += self.trace.drain_log()

    def stop(self, point: TracePoint) -> None:
        """Handle a stop of the trace."""
        assert self.trace is not None
        if point.reasons & Reason.FULL:
            if self._first_step:  # an inverted decision caused a long loop in the logged run
                self.log_full = True
                self._stop_log()
            else:
                self.traced.limit.check()
                self.records += self.trace.drain_log()
                self._remove_busy_branches()
        if point.reasons & Reason.TARGET:
            if self._inversions:
                native = self.traced.native
                native.pop()
                native.push(self._inversions.pop().flag)
            if point.step == self._first_step:
                self._start_log()
            else:
                self._set_next_stop()
        elif point.reasons & Reason.BREAK and point.ip == 0 and point.nesting == 1:
            # The kernel runs the next move word.  In nested runs, $CatchExit runs the word inside
            # a move word.
            self._stop_log()

    def _remove_busy_branches(self) -> None:
        """Remove IFs that ran thousands of times from the log and from the logged tokens."""
        assert self.trace is not None
        traced = self.traced
        runs = Counter(record.ip for record in self.records if record.word == traced.branch_word)
        self.busy_branches |= {ip for ip, count in runs.items() if count > _MAX_IF_RUNS}
        self.records = [record for record in self.records if record.ip not in self.busy_branches]
        self.trace.mark(traced.branch_word, remove=_ALL_MARKS)
        for address in self.busy_branches:
            self.trace.mark(address, remove=_ALL_MARKS)
        self._mark(Mark.CELL_LOG, traced.script_branches() - self.busy_branches)

    def _set_next_stop(self) -> None:
        """Stop at the next inverted decision or, without one, at the first logged step."""
        assert self.trace is not None
        self.trace.stop_at(self._inversions[-1].step if self._inversions else self._first_step)

    def _start_log(self) -> None:
        """Start the log; stop when the kernel runs the next move word."""
        assert self.trace is not None
        self._is_logging = True
        self.trace.log(_RUN_CELLS)
        self._mark(Mark.WORD_LOG, self.traced.logged_words)
        self._mark(Mark.CELL_LOG, self.traced.logged_branches)
        self._mark(Mark.WORD, self.traced.move_words)

    def _stop_log(self) -> None:
        """Read the log and remove all marks."""
        assert self.trace is not None
        self._is_logging = False
        self.records += self.trace.drain_log()
        self.trace.log(0)
        for address in (
            self.traced.logged_words | self.traced.move_words | self.traced.logged_branches
        ):
            self.trace.mark(address, remove=_ALL_MARKS)

    def _mark(self, mark: Mark, addresses: Iterable[int]) -> None:
        """Mark cells, or words by their execution tokens, which are addresses too."""
        assert self.trace is not None
        for address in addresses:
            self.trace.mark(address, mark)


class RemovalControl(TraceControl):
    """Logs the calls of `$RemoveMove` during a generation."""

    def begin(self) -> None:
        """Prepare the trace before the generation runs."""
        assert self.trace is not None
        self.trace.restart()
        self._is_logging = True
        self.trace.log(_LOG_CELLS)
        self._mark(Mark.WORD_LOG, self.traced.remove_move_words)


class RunFollower(TraceControl):
    """Controls the trace of one run up to a given step.

    Attributes:
        counts: How often each cell ran before this step.
    """

    def __init__(
        self, traced: TracedGeneration, first_step: int, last_step: int, cells: frozenset[int]
    ) -> None:
        """Log the tokens of `cells` from the first to the last step."""
        super().__init__(traced, first_step)
        self.counts: Mapping[int, int] = {}
        self._last_step = last_step
        self._cells = cells

    def stop(self, point: TracePoint) -> None:
        """Handle a stop of the trace."""
        assert self.trace is not None
        if point.reasons & Reason.FULL:
            self.records += self.trace.drain_log()
        if not point.reasons & Reason.TARGET:
            return
        if point.step < self._last_step:
            self.trace.log(_LOG_CELLS)
            self._mark(Mark.WORD_LOG, self.traced.logged_words)
            self._mark(Mark.CELL_LOG, self._cells)
            self.trace.count(on=True)
            self.trace.stop_at(self._last_step)
        else:
            self.records += self.trace.drain_log()
            self.counts = self.trace.counts()
            self.trace.count(on=False)
            self.trace.log(0)
            for address in (*self.traced.logged_words, *self._cells):
                self.trace.mark(address, remove=_ALL_MARKS)


_Control = TypeVar("_Control", bound=TraceControl)


@contextmanager
def tracing(control: _Control) -> Iterator[_Control]:
    """Attach a trace, controlled by `control`, during the `with` block."""
    control.trace = Trace(control.traced.native, control.stop)
    try:
        yield control
    finally:
        control.trace.close()
