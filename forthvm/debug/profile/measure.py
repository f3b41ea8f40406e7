"""The measurement of a profile: tokens and time per word and per source line.

Owns the run under the trace, and the sums.  It must not know how a profile is shown (text.py,
flame_graph.py).

Counts are exact: the traced interpreter counts every token.  The time is measured in a run without
trace and distributed in proportion to tokens.  This is repeatable and a good approximation for
Forth; but a long-running word of the kernel counts as one token, and the time of the core between
words is distributed over all of them.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, HEADER, RANDOM
from forthvm.core.bindings.trace import Reason, Trace
from forthvm.core.status import Phase
from forthvm.core.value import Value
from forthvm.debug.source_cells import Places, location_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from forthvm.core.bindings.trace import Place, Record
    from forthvm.core.location import Location
    from forthvm.game import Position

__all__ = ["Chain", "LineCost", "Profile", "WordCost", "profile"]

_KERNEL_END = RANDOM
"""The kernel runs words from cells below this address."""
_LOG_CELLS = 1 << 17
_BEYOND = 1 << 20
"""The range after HERE, in bytes, that is searched for code of moves."""
_FIRST_INTERVAL = 53
"""The first interval between samples, in tokens; a prime, to avoid synchronization with loops."""
_MOST_SAMPLES = 20_000
"""Samples after which the interval is doubled."""

_ASKED = {
    Phase.GENERATE: "generating moves",
    Phase.APPLY: "applying a move",
    Phase.GAME_OVER: "OnIsGameOver",
    Phase.NEXT_TURN: "next turn",
    Phase.EVALUATE: "evaluating",
    Phase.SEARCH: "searching",
    Phase.NEW_GAME: "new game",
}


class Chain(Value):
    """A chain of calls.

    Attributes:
        words: The host's request, then the names of the words, the outermost first.
        places: Where each word is defined; None for the host's request.
        tokens: The number of tokens that the samples of this chain represent.
    """

    words: tuple[str, ...]
    places: tuple[Location | None, ...]
    tokens: int


class WordCost(Value):
    """A word's share.

    Attributes:
        word: Its name; `(moves)` for the code of moves.  What words made by a defining word do
            counts as `DOES> of` that one: `CONSTANT`, arrays, directions.
        place: Where it is defined, None for a word without source.
        library: It belongs to the library.
        calls: How often it was entered; exact.
        tokens: Tokens run in the word itself; exact.
        own: Seconds in the word itself.
        total: Seconds in it and in what it called, from samples.
    """

    word: str
    place: Location | None
    library: bool
    calls: int
    tokens: int
    own: float
    total: float


class LineCost(Value):
    """A source line's share: tokens run (exact), and seconds."""

    file: str
    line: int
    source: str
    library: bool
    tokens: int
    own: float


class Profile(Value):
    """What a piece of play cost.

    Attributes:
        title: What was run.
        seconds: How long it took, nothing watching it.
        tokens: Tokens run; exact.
        samples: Samples taken.
        words: The words that ran, those with most tokens first.
        lines: The source lines that ran, in the order of files and lines.
        chains: The chains of calls, each once, the commonest first.
    """

    title: str
    seconds: float
    tokens: int
    samples: int
    words: tuple[WordCost, ...]
    lines: tuple[LineCost, ...]
    chains: tuple[Chain, ...]

    def to_json(self) -> dict[str, object]:
        """Words and lines as JSON has them; chains are for `profile_flame.speedscope`."""
        return {
            "title": self.title,
            "seconds": self.seconds,
            "tokens": self.tokens,
            "samples": self.samples,
            "words": [vars(word) | {"place": location_json(word.place)} for word in self.words],
            "lines": [dict(vars(line)) for line in self.lines],
        }

    def __str__(self) -> str:
        from .text import table

        return "\n".join(table(self))


def profile(position: Position, work: Callable[[Position], object], title: str = "") -> Profile:
    """What `work` costs in the script of a position's game.

    It is run twice, each time with a copy of the position: once for the time, once for the
    counts; so it must do the same both times.  Only the game's own VM is looked at, not
    clones that an engine with several threads makes.

    Args:
        position: Where it begins; it stays as it is.
        work: What is run.
        title: What the profile calls it.

    Raises:
        ForthVMError: the script fails, or the VM is traced already.
    """
    native = position.game.vm.native
    begin = time.perf_counter()
    work(position.copy())
    seconds = time.perf_counter() - begin
    sampler = _Sampler()
    with position.game.states.lock:
        sampler.trace = trace = Trace(native, sampler.stop)
        try:
            trace.count(on=True)
            trace.log(_LOG_CELLS, sample_every=sampler.interval)
            work(position.copy())
            sampler.take()
            counts = trace.counts(0, native.here() + _BEYOND)
        finally:
            trace.close()
        position.game.states.forget()
        return _Sums(position, counts, sampler.chains).profile(title, seconds, sampler.samples)


class _Sampler:
    """Samples of call chains, each with the tokens that it stands for."""

    def __init__(self) -> None:
        self.trace: Trace | None = None
        self.interval = _FIRST_INTERVAL
        self.samples = 0
        self.chains: Counter[tuple[int, ...]] = Counter()

    def stop(self, place: Place) -> None:
        """Empty the log; when there are many samples, take fewer."""
        if not place.reasons & Reason.FULL:
            return
        assert self.trace is not None
        self.take()
        if self.samples > _MOST_SAMPLES:
            self.interval *= 2
            self.trace.log(_LOG_CELLS, sample_every=self.interval)

    def take(self) -> None:
        """Add up what is in the log."""
        assert self.trace is not None
        for record in self.trace.take_log():
            self.samples += 1
            self.chains[_chain(record)] += self.interval


def _chain(record: Record) -> tuple[int, ...]:
    """What was asked for, and the cells at work, outermost first."""
    cells = (*reversed(record.calls), record.ip)
    return (record.phase, *(cell for cell in cells if cell >= _KERNEL_END))


class _Word(Value):
    """A word, as far as sums are concerned."""

    name: str
    place: Location | None
    library: bool
    home: int


class _Sums:
    """Counts and chains, added up by word and line."""

    def __init__(
        self, position: Position, counts: Mapping[int, int], chains: Mapping[tuple[int, ...], int]
    ) -> None:
        self.vm = position.game.vm
        self.places = Places(self.vm)
        self.counts = {cell: count for cell, count in counts.items() if cell >= _KERNEL_END}
        self.chains = chains
        self._words: dict[int, _Word] = {}
        self._homes: dict[int, int] = {}
        self._entries: dict[int, int] = {}
        for address in sorted(self.counts):  # a word is entered at its first cell that runs
            self._entries.setdefault(self._home(address), self.counts[address])

    def profile(self, title: str, seconds: float, samples: int) -> Profile:
        """The sums."""
        tokens = sum(self.counts.values())
        each = seconds / tokens if tokens else 0.0
        chains = self._chains()
        sampled = sum(chain.tokens for chain in chains)
        share = seconds / sampled if sampled else 0.0
        return Profile(
            title,
            seconds,
            tokens,
            samples,
            tuple(self._by_word(each, share)),
            tuple(self._by_line(each)),
            tuple(chains),
        )

    def _by_word(self, each: float, share: float) -> Iterable[WordCost]:
        own: Counter[int] = Counter()
        for address, count in self.counts.items():
            own[self._home(address)] += count
        total: Counter[int] = Counter()
        for chain, tokens in self.chains.items():
            for home in {self._home(cell) for cell in chain[1:]}:
                total[home] += tokens
        found = []
        for home, tokens in own.items():
            word, calls = self._word(home), self._entries.get(home, 0)
            inside = max(total[home] * share, tokens * each)
            found.append(
                WordCost(word.name, word.place, word.library, calls, tokens, tokens * each, inside)
            )
        return sorted(found, key=lambda one: (-one.tokens, one.word))

    def _by_line(self, each: float) -> Iterable[LineCost]:
        found: Counter[tuple[str, int, str, bool]] = Counter()
        for address, count in self.counts.items():
            if self._home(address):
                cell = self.places.cell(address)
                if cell.place is not None:
                    place = cell.place
                    found[place.file, place.line, place.text.rstrip(), cell.library] += count
        return [LineCost(*key, found[key], found[key] * each) for key in sorted(found)]

    def _chains(self) -> list[Chain]:
        found: Counter[tuple[str | int, ...]] = Counter()
        for chain, tokens in self.chains.items():
            asked = _ASKED.get(Phase(chain[0]), "running")
            found[asked, *map(self._home, chain[1:])] += tokens
        chains = []
        for key, tokens in sorted(found.items(), key=lambda item: (-item[1], str(item[0]))):
            words = [self._word(home) for home in key[1:] if isinstance(home, int)]
            chains.append(
                Chain(
                    (str(key[0]), *(word.name for word in words)),
                    (None, *(word.place for word in words)),
                    tokens,
                )
            )
        return chains

    def _home(self, address: int) -> int:
        """Header of the word that holds a cell, 0 for code of moves."""
        home = self._homes.get(address)
        if home is None:
            native = self.vm.native
            known = native.source_at(address) != 0
            home = self._homes[address] = native.word_at(address) if known else 0
        return home

    def _word(self, home: int) -> _Word:
        word = self._words.get(home)
        if word is None:
            if home:
                native = self.vm.native
                source = self.places.table.text_at(native.source_at(home + HEADER + CELL))
                made = not self.counts.get(home + HEADER + CELL)
                word = _Word(
                    f"DOES> of {native.name(home)}" if made else native.name(home),
                    self.places.word_place(home + HEADER),
                    source is not None and source.library,
                    home,
                )
            else:
                word = _Word("(moves)", None, False, 0)
            self._words[home] = word
        return word
