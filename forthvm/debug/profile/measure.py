"""The measurement of a profile: tokens and time per word and per source line.

Owns the traced run, and the totals per word and line.  text.py and flame_graph.py display a
profile.

Token counts are exact: the traced interpreter counts every token.  The time is measured in a run
without trace and distributed in proportion to the tokens.  The result is repeatable and a good
approximation for Forth, with two limits: a long-running kernel word counts as one token, and time
that the core spends between words is distributed over all words.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, HEADER, RANDOM
from forthvm.core.bindings.trace import Reason, Trace
from forthvm.core.status import Phase
from forthvm.debug.source_map.source_cells import SourceCells, fields_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from forthvm.core.bindings.trace import Record, TracePoint
    from forthvm.core.location import Location
    from forthvm.game import Position

__all__ = ["Chain", "LineCost", "Profile", "WordCost", "profile"]

_KERNEL_END = RANDOM
"""Cells below this address belong to the kernel."""
_LOG_CELLS = 1 << 17
_MOVE_CODE_BYTES = 1 << 20
"""The size of the memory after HERE in which the code of moves is counted."""
_FIRST_INTERVAL = 53
"""The initial interval between samples, in tokens; a prime, so that samples do not follow loops."""
_MAX_SAMPLES = 20_000
"""If there are more samples than this when the log is full, the interval is doubled."""

_REQUESTS = {
    Phase.GENERATE: "generating moves",
    Phase.APPLY: "applying a move",
    Phase.GAME_OVER: "OnIsGameOver",
    Phase.NEXT_TURN: "next turn",
    Phase.EVALUATE: "evaluating",
    Phase.SEARCH: "searching",
    Phase.NEW_GAME: "new game",
}


@dataclass(frozen=True)
class Chain:
    """A chain of calls.

    Attributes:
        words: The host's request, then the names of the words, the outermost first.
        locations: The location of each word's definition; None for the host's request.
        tokens: The number of tokens that the samples of this chain represent.
    """

    words: tuple[str, ...]
    locations: tuple[Location | None, ...]
    tokens: int


@dataclass(frozen=True)
class WordCost:
    """The cost of a word.

    Attributes:
        word: The name of the word; `(moves)` for the code of moves.  The action of words made by a
            defining word, such as constants, arrays and directions, counts as `DOES> of` the
            defining word.
        location: The location of the word's definition; None for a word without source.
        library: Whether the word belongs to the library.
        calls: The number of calls; exact.
        tokens: The number of tokens run in the word itself; exact.
        own: Seconds in the word itself.
        total: Seconds in the word and its callees, estimated from samples.
    """

    word: str
    location: Location | None
    library: bool
    calls: int
    tokens: int
    own: float
    total: float


@dataclass(frozen=True)
class LineCost:
    """The cost of a source line: tokens run (exact), and seconds."""

    file: str
    line: int
    source: str
    library: bool
    tokens: int
    own: float


@dataclass(frozen=True)
class Profile:
    """The measured costs of a function call that plays or searches a game.

    Attributes:
        title: A description of the measured work.
        seconds: The duration without trace.
        tokens: The number of tokens run; exact.
        samples: The number of samples.
        words: The words that ran, sorted by tokens, the most first.
        lines: The source lines that ran, in the order of files and lines.
        chains: The different chains of calls, the most frequent first.
    """

    title: str
    seconds: float
    tokens: int
    samples: int
    words: tuple[WordCost, ...]
    lines: tuple[LineCost, ...]
    chains: tuple[Chain, ...]

    def to_json(self) -> dict[str, object]:
        """Return a JSON object without the chains, which `flame_graph.py` exports."""
        return {
            "title": self.title,
            "seconds": self.seconds,
            "tokens": self.tokens,
            "samples": self.samples,
            "words": [fields_json(word) for word in self.words],
            "lines": [dict(vars(line)) for line in self.lines],
        }

    def __str__(self) -> str:
        from .text import table

        return "\n".join(table(self))


def profile(position: Position, work: Callable[[Position], object], title: str = "") -> Profile:
    """Measure how much time `work` spends in each word of a game's script.

    `work` is called twice with a copy of the position: once to measure the time, once to count
    tokens.  It must execute the same tokens both times.  Only the game's own VM is measured, not
    the clones that an engine with several threads makes.

    Args:
        position: The position; it is not changed.
        work: The function to measure.
        title: A description of `work` for the profile.

    Raises:
        ForthVMError: The script fails, or the VM is traced already.
    """
    native = position._loaded.vm.native
    start = time.perf_counter()
    work(position.copy())
    seconds = time.perf_counter() - start
    sampler = _Sampler()
    with position._loaded.states.lock:
        sampler.trace = trace = Trace(native, sampler.stop)
        try:
            trace.count(on=True)
            trace.log(_LOG_CELLS, sample_every=sampler.interval)
            work(position.copy())
            sampler.read_log()
            counts = trace.counts(0, native.here() + _MOVE_CODE_BYTES)
        finally:
            trace.close()
        position._loaded.states.release()
        return _Totals(position, counts, sampler.chains).profile(title, seconds, sampler.samples)


class _Sampler:
    """Collects samples of call chains, weighted by the sampling interval."""

    def __init__(self) -> None:
        self.trace: Trace | None = None
        self.interval = _FIRST_INTERVAL
        self.samples = 0
        self.chains: Counter[tuple[int, ...]] = Counter()

    def stop(self, point: TracePoint) -> None:
        """Handle a full log: read it, and double the interval when there are many samples."""
        if not point.reasons & Reason.FULL:
            return
        assert self.trace is not None
        self.read_log()
        if self.samples > _MAX_SAMPLES:
            self.interval *= 2
            self.trace.log(_LOG_CELLS, sample_every=self.interval)

    def read_log(self) -> None:
        """Remove the records from the log and count their call chains."""
        assert self.trace is not None
        for record in self.trace.drain_log():
            self.samples += 1
            self.chains[_chain(record)] += self.interval


def _chain(record: Record) -> tuple[int, ...]:
    """Return the phase of the host's request, then the active cells, the outermost first."""
    cells = (*reversed(record.calls), record.ip)
    return (record.phase, *(cell for cell in cells if cell >= _KERNEL_END))


@dataclass(frozen=True)
class _Word:
    """The description of a word that ran; `header` is the address of its header."""

    name: str
    location: Location | None
    library: bool
    header: int


class _Totals:
    """Totals of counts and chains by word and line."""

    def __init__(
        self, position: Position, counts: Mapping[int, int], chains: Mapping[tuple[int, ...], int]
    ) -> None:
        self.vm = position._loaded.vm
        self.source_cells = SourceCells(self.vm)
        self.counts = {cell: count for cell, count in counts.items() if cell >= _KERNEL_END}
        self.chains = chains
        self._words_by_header: dict[int, _Word] = {}
        self._headers_by_cell: dict[int, int] = {}
        self._calls_by_header: dict[int, int] = {}
        for address in sorted(self.counts):  # each call runs the first executed cell of the word
            self._calls_by_header.setdefault(self._header(address), self.counts[address])

    def profile(self, title: str, seconds: float, samples: int) -> Profile:
        """Return the profile."""
        tokens = sum(self.counts.values())
        seconds_per_token = seconds / tokens if tokens else 0.0
        chains = self._chains()
        sampled_tokens = sum(chain.tokens for chain in chains)
        seconds_per_sampled_token = seconds / sampled_tokens if sampled_tokens else 0.0
        return Profile(
            title,
            seconds,
            tokens,
            samples,
            tuple(self._word_costs(seconds_per_token, seconds_per_sampled_token)),
            tuple(self._line_costs(seconds_per_token)),
            tuple(chains),
        )

    def _word_costs(
        self, seconds_per_token: float, seconds_per_sampled_token: float
    ) -> Iterable[WordCost]:
        own_tokens: Counter[int] = Counter()
        for address, count in self.counts.items():
            own_tokens[self._header(address)] += count
        sampled_tokens: Counter[int] = Counter()  # of the word and its callees
        for (_phase, *cells), tokens in self.chains.items():
            for header in {self._header(cell) for cell in cells}:
                sampled_tokens[header] += tokens
        costs = []
        for header, tokens in own_tokens.items():
            word, calls = self._word(header), self._calls_by_header.get(header, 0)
            own_seconds = tokens * seconds_per_token
            total_seconds = sampled_tokens[header] * seconds_per_sampled_token
            costs.append(
                WordCost(
                    word.name,
                    word.location,
                    word.library,
                    calls,
                    tokens,
                    own_seconds,
                    max(total_seconds, own_seconds),
                )
            )
        return sorted(costs, key=lambda cost: (-cost.tokens, cost.word))

    def _line_costs(self, seconds_per_token: float) -> Iterable[LineCost]:
        totals: Counter[tuple[str, int, str, bool]] = Counter()
        for address, count in self.counts.items():
            if self._header(address):
                cell = self.source_cells.cell(address)
                if cell.location is not None:
                    location = cell.location
                    totals[location.file, location.line, location.text.rstrip(), cell.library] += (
                        count
                    )
        return [
            LineCost(*key, totals[key], totals[key] * seconds_per_token) for key in sorted(totals)
        ]

    def _chains(self) -> list[Chain]:
        totals: Counter[tuple[str | int, ...]] = Counter()
        for (phase, *cells), tokens in self.chains.items():
            request = _REQUESTS.get(Phase(phase), "running")
            totals[request, *map(self._header, cells)] += tokens
        chains = []
        by_tokens = sorted(totals.items(), key=lambda item: (-item[1], str(item[0])))
        for (name, *headers), tokens in by_tokens:
            words = [self._word(header) for header in headers if isinstance(header, int)]
            chains.append(
                Chain(
                    (str(name), *(word.name for word in words)),
                    (None, *(word.location for word in words)),
                    tokens,
                )
            )
        return chains

    def _header(self, address: int) -> int:
        """Return the header of the word that contains a cell; 0 for code of moves."""
        header = self._headers_by_cell.get(address)
        if header is None:
            native = self.vm.native
            has_source = native.source_at(address) != 0
            header = native.word_at(address) if has_source else 0
            self._headers_by_cell[address] = header
        return header

    def _word(self, header: int) -> _Word:
        word = self._words_by_header.get(header)
        if word is None:
            if header:
                native = self.vm.native
                source = self.source_cells.table.text_at(native.source_at(header + HEADER + CELL))
                # If the first cell did not run, only the code after DOES> ran.
                only_does = not self.counts.get(header + HEADER + CELL)
                word = _Word(
                    f"DOES> of {native.name(header)}" if only_does else native.name(header),
                    self.source_cells.word_location(header + HEADER),
                    source is not None and source.library,
                    header,
                )
            else:
                word = _Word("(moves)", None, False, 0)
            self._words_by_header[header] = word
        return word
