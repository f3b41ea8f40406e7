"""The control of the trace while moves are generated.

Owns where the generation stops, which tokens are logged, and how decisions are inverted.  It must
not know the purpose of the log (traced_generation.py).
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from forthvm.core.bindings.trace import Mark, Reason, Trace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from forthvm.core.bindings.trace import Record, TracePoint

    from .traced_generation import TracedGeneration

__all__ = ["Follow", "Inversion", "Watch", "tracing"]

_LOG_CELLS = 1 << 21
_BUSY = 5000
"""An IF that runs more often than this while the log fills is not logged any more."""
_RUN_CELLS = 1 << 16
_ALL = Mark.WORD | Mark.WORD_LOG | Mark.CELL_LOG


class Inversion(NamedTuple):
    """A decision to be inverted: at a step, the flag on the stack gets another value."""

    step: int
    flag: int


class Watch:
    """Controls the trace during a generation and collects its log.

    Attributes:
        events: The logged tokens: of all runs, or from a step to the end of its run.
        full: Whether a run filled the log, so that its later tokens are missing.
        busy: The cells of IFs that ran too often to be logged.
    """

    def __init__(
        self, traced: TracedGeneration, start: int = 0, inversions: Sequence[Inversion] = ()
    ) -> None:
        """Log from step `start` on; 0 logs all runs."""
        self.events: list[Record] = []
        self.trace: Trace | None = None
        self.traced = traced
        self._start = start
        self._inversions = list(reversed(inversions))
        self._open = False
        self.full = False
        self.busy: set[int] = set()

    def begin(self) -> None:
        """Prepare the trace; the generation runs next."""
        assert self.trace is not None
        self.trace.restart()
        if self._start:
            self._aim()
        else:
            self._open = True
            self.trace.log(_LOG_CELLS)
            self._mark(Mark.WORD_LOG, self.traced.logged | self.traced.words | {self.traced.branch})

    def end(self) -> None:
        """Take the rest of the log after the generation."""
        assert self.trace is not None
        if self._open:
            self.events += self.trace.drain_log()

    def stop(self, place: TracePoint) -> None:
        """Serve a stop of the trace."""
        assert self.trace is not None
        if place.reasons & Reason.FULL:
            if self._start:  # an inverted decision has caused a long loop
                self.full = True
                self._leave()
            else:
                self.traced.limit.check()
                self.events += self.trace.drain_log()
                self._thin()
        if place.reasons & Reason.TARGET:
            if self._inversions:
                native = self.traced.native
                native.pop()
                native.push(self._inversions.pop().flag)
            if place.step == self._start:
                self._enter()
            else:
                self._aim()
        elif place.reasons & Reason.BREAK and place.ip == 0:
            self._leave()

    def _thin(self) -> None:
        """Drop the IFs of loops with thousands of iterations, and stops logging them."""
        assert self.trace is not None
        traced = self.traced
        rounds = Counter(event.ip for event in self.events if event.word == traced.branch)
        self.busy |= {ip for ip, count in rounds.items() if count > _BUSY}
        self.events = [event for event in self.events if event.ip not in self.busy]
        self.trace.mark(traced.branch, remove=_ALL)
        for address in self.busy:
            self.trace.mark(address, remove=_ALL)
        self._mark(Mark.CELL_LOG, traced.script_branches() - self.busy)

    def _aim(self) -> None:
        assert self.trace is not None
        self.trace.stop_at(self._inversions[-1].step if self._inversions else self._start)

    def _enter(self) -> None:
        """Start the log, and stops when the kernel runs the next move word."""
        assert self.trace is not None
        self._open = True
        self.trace.log(_RUN_CELLS)
        self._mark(Mark.WORD_LOG, self.traced.logged)
        self._mark(Mark.CELL_LOG, self.traced.branches)
        self._mark(Mark.WORD, self.traced.words)

    def _leave(self) -> None:
        assert self.trace is not None
        self._open = False
        self.events += self.trace.drain_log()
        self.trace.log(0)
        for address in self.traced.logged | self.traced.words | self.traced.branches:
            self.trace.mark(address, remove=_ALL)

    def _mark(self, mark: Mark, tokens: Iterable[int]) -> None:
        assert self.trace is not None
        for token in tokens:
            self.trace.mark(token, mark)


class Follow(Watch):
    """Controls the trace to follow a run to one step.

    Attributes:
        counts: How often each cell ran until then.
    """

    def __init__(
        self, traced: TracedGeneration, start: int, end: int, cells: frozenset[int]
    ) -> None:
        """Log from step `start` to step `end` the tokens of these cells."""
        super().__init__(traced, start)
        self.counts: Mapping[int, int] = {}
        self._end = end
        self._cells = cells

    def stop(self, place: TracePoint) -> None:
        """Serve a stop of the trace."""
        assert self.trace is not None
        if place.reasons & Reason.FULL:
            self.events += self.trace.drain_log()
        if not place.reasons & Reason.TARGET:
            return
        if place.step < self._end:
            self.trace.log(_LOG_CELLS)
            self._mark(Mark.WORD_LOG, self.traced.logged)
            self._mark(Mark.CELL_LOG, self._cells)
            self.trace.count(on=True)
            self.trace.stop_at(self._end)
        else:
            self.events += self.trace.drain_log()
            self.counts = self.trace.counts()
            self.trace.count(on=False)
            self.trace.log(0)
            for address in (*self.traced.logged, *self._cells):
                self.trace.mark(address, remove=_ALL)


_W = TypeVar("_W", bound=Watch)


@contextmanager
def tracing(watch: _W) -> Iterator[_W]:
    """Attach a trace, controlled by `watch`, for the time of the block."""
    watch.trace = Trace(watch.traced.native, watch.stop)
    try:
        yield watch
    finally:
        watch.trace.close()
