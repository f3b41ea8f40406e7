"""What is done while a generation of moves runs under the trace.

Owns where it is stopped, which tokens are logged meanwhile, and how decisions are turned
round.  It must not know what the log is wanted for (traced_generation.py).
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from forthvm.core.bindings.trace import Mark, Reason, Trace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from forthvm.core.bindings.trace import Place, Record

    from .traced_generation import TracedGeneration

__all__ = ["Follow", "Turn", "Watch", "tracing"]

_LOG_CELLS = 1 << 21
_BUSY = 5000
"""Times that an IF may run before a log of that size is full, and still be looked at."""
_RUN_CELLS = 1 << 16
_ALL = Mark.WORD | Mark.WORD_LOG | Mark.CELL_LOG


class Turn(NamedTuple):
    """A decision to be turned round: at a step, the flag on the stack gets another value."""

    step: int
    flag: int


class Watch:
    """What is done while a generation runs under the trace.

    Attributes:
        events: What was logged: from a step on to the end of its run, or everything.
        full: The run went on and on, and what it did late is not logged.
        busy: Cells of IFs that ran so often that they are not logged.
    """

    def __init__(
        self, traced: TracedGeneration, start: int = 0, turns: Sequence[Turn] = ()
    ) -> None:
        """Logs from step `start` on, 0: all runs."""
        self.events: list[Record] = []
        self.trace: Trace | None = None
        self.traced = traced
        self._start = start
        self._turns = list(reversed(turns))
        self._open = False
        self.full = False
        self.busy: set[int] = set()

    def begin(self) -> None:
        """Get ready; the generation runs next."""
        assert self.trace is not None
        self.trace.restart()
        if self._start:
            self._aim()
        else:
            self._open = True
            self.trace.log(_LOG_CELLS)
            self._mark(Mark.WORD_LOG, self.traced.logged | self.traced.words | {self.traced.branch})

    def end(self) -> None:
        """Take what is still in the log; the generation is over."""
        assert self.trace is not None
        if self._open:
            self.events += self.trace.take_log()

    def stop(self, place: Place) -> None:
        """Serve a stop of the trace."""
        assert self.trace is not None
        if place.reasons & Reason.FULL:
            if self._start:  # a loop that what was turned lets run on
                self.full = True
                self._leave()
            else:
                self.traced.limit.check()
                self.events += self.trace.take_log()
                self._thin()
        if place.reasons & Reason.TARGET:
            if self._turns:
                native = self.traced.native
                native.pop()
                native.push(self._turns.pop().flag)
            if place.step == self._start:
                self._enter()
            else:
                self._aim()
        elif place.reasons & Reason.BREAK and place.ip == 0:
            self._leave()

    def _thin(self) -> None:
        """Forget the IFs of loops that go round thousands of times, and log them no longer."""
        assert self.trace is not None
        traced = self.traced
        rounds = Counter(event.ip for event in self.events if event.word == traced.branch)
        self.busy |= {ip for ip, count in rounds.items() if count > _BUSY}
        self.events = [event for event in self.events if event.ip not in self.busy]
        self.trace.mark(traced.branch, take=_ALL)
        for address in self.busy:
            self.trace.mark(address, take=_ALL)
        self._mark(Mark.CELL_LOG, traced.script_branches() - self.busy)

    def _aim(self) -> None:
        assert self.trace is not None
        self.trace.stop_at(self._turns[-1].step if self._turns else self._start)

    def _enter(self) -> None:
        """Log from here on, and stop where the kernel runs the next move word."""
        assert self.trace is not None
        self._open = True
        self.trace.log(_RUN_CELLS)
        self._mark(Mark.WORD_LOG, self.traced.logged)
        self._mark(Mark.CELL_LOG, self.traced.branches)
        self._mark(Mark.WORD, self.traced.words)

    def _leave(self) -> None:
        assert self.trace is not None
        self._open = False
        self.events += self.trace.take_log()
        self.trace.log(0)
        for address in self.traced.logged | self.traced.words | self.traced.branches:
            self.trace.mark(address, take=_ALL)

    def _mark(self, mark: Mark, tokens: Iterable[int]) -> None:
        assert self.trace is not None
        for token in tokens:
            self.trace.mark(token, mark)


class Follow(Watch):
    """What is done to follow a run to one step.

    Attributes:
        counts: How often each cell ran on the way.
    """

    def __init__(
        self, traced: TracedGeneration, start: int, end: int, cells: frozenset[int]
    ) -> None:
        """Logs from step `start` to step `end` the tokens of these cells."""
        super().__init__(traced, start)
        self.counts: Mapping[int, int] = {}
        self._end = end
        self._cells = cells

    def stop(self, place: Place) -> None:
        """Serve a stop of the trace."""
        assert self.trace is not None
        if place.reasons & Reason.FULL:
            self.events += self.trace.take_log()
        if not place.reasons & Reason.TARGET:
            return
        if place.step < self._end:
            self.trace.log(_LOG_CELLS)
            self._mark(Mark.WORD_LOG, self.traced.logged)
            self._mark(Mark.CELL_LOG, self._cells)
            self.trace.count(on=True)
            self.trace.stop_at(self._end)
        else:
            self.events += self.trace.take_log()
            self.counts = self.trace.counts()
            self.trace.count(on=False)
            self.trace.log(0)
            for address in (*self.traced.logged, *self._cells):
                self.trace.mark(address, take=_ALL)


_W = TypeVar("_W", bound=Watch)


@contextmanager
def tracing(watch: _W) -> Iterator[_W]:
    """Attach a trace that `watch` serves, while a block runs."""
    watch.trace = Trace(watch.traced.native, watch.stop)
    try:
        yield watch
    finally:
        watch.trace.close()
