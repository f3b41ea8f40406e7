"""Which lines and words of a script the tests of a game run.

Owns the counts, which a traced run takes exactly.  coverage_pages.py displays the counts.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, COLON, HEADER
from forthvm.core.bindings.trace import Trace
from forthvm.debug.generation.time_limit import TimeLimit
from forthvm.debug.generation.traced_generation import traced_generation
from forthvm.debug.source_map.code_map import CodeMap
from forthvm.debug.source_map.source_cells import SourceCells

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from forthvm.game import Game

__all__ = ["Coverage", "FileCoverage", "WordCoverage"]


@dataclass(frozen=True)
class WordCoverage:
    """A word of a script.

    Attributes:
        name: Its name.
        line: The line of its definition, from 1.
        is_move_word: Whether it generates moves.
        runs: How often it ran.
    """

    name: str
    line: int
    is_move_word: bool
    runs: int


@dataclass(frozen=True)
class FileCoverage:
    """A source file.

    Attributes:
        name: Its name in messages.
        lines: Its lines.
        runs: How often each line with code ran, by line numbers from 1.
        words: Its words, in the order of their definitions.
    """

    name: str
    lines: tuple[str, ...]
    runs: dict[int, int]
    words: tuple[WordCoverage, ...]

    @property
    def lines_run(self) -> int:
        """The number of lines that ran."""
        return sum(runs > 0 for runs in self.runs.values())


class Coverage:
    """Counts what the tests of several games run."""

    def __init__(self) -> None:
        self._counts: dict[Game, Counter[int]] = {}  # by the addresses of cells

    @contextmanager
    def counting(self, game: Game) -> Iterator[None]:
        """Count what the script of a game runs inside the `with` block.

        Raises:
            ForthVMError: The game is traced already.
        """
        counts = self._counts.setdefault(game, Counter())
        with game._loaded.states.lock:
            trace = Trace(game._loaded.vm.native, lambda _: None)
            try:
                trace.count(on=True)
                yield
            finally:
                counts.update(trace.counts())
                trace.close()

    def files(self) -> list[FileCoverage]:
        """Return the source files with code, by name; games that share a file are added up."""
        found: dict[str, _File] = {}
        for game, counts in self._counts.items():
            _add_lines(found, game, counts)
            _add_words(found, game, counts)
        return [
            FileCoverage(
                name,
                file.lines,
                dict(sorted(file.runs.items())),
                tuple(word for _, word in sorted(file.words.items())),
            )
            for name, file in sorted(found.items())
        ]


class _File:
    """The sums of a file: of each line, and of each word by its line and name."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        self.runs: Counter[int] = Counter()
        self.words: dict[tuple[int, str], WordCoverage] = {}


def _add_lines(files: dict[str, _File], game: Game, counts: Counter[int]) -> None:
    """Add the lines of a game.  A line ran as often as the cell of it that ran most often."""
    code, native = CodeMap(game._loaded.vm), game._loaded.vm.native
    own = set()
    for file in code.files():
        lines = code.lines_with_code(file)
        if lines and file.path is not None and not file.library:
            own.add(file.name)
            runs = files.setdefault(file.name, _File(file.lines)).runs
            runs.update(dict.fromkeys(lines, 0))
    most: dict[tuple[str, int], int] = {}
    for address, count in counts.items():
        position = native.source_at(address)
        line = code.line_at(position) if position else None
        if line is not None and line[1] in own:
            most[line[1:]] = max(most.get(line[1:], 0), count)
    for (name, number), count in most.items():
        files[name].runs[number] += count


def _add_words(files: dict[str, _File], game: Game, counts: Counter[int]) -> None:
    native, cells = game._loaded.vm.native, SourceCells(game._loaded.vm)
    with traced_generation(game.start(), TimeLimit(0)) as traced:
        move_words = traced.move_words
    nfa = native.latest()
    while nfa:
        xt = nfa + HEADER
        place = cells.word_location(xt) if native.primitive(xt) == COLON else None
        if place is not None and place.file in files:
            words, key = files[place.file].words, (place.line, native.name(nfa))
            runs = counts[xt + CELL] + (words[key].runs if key in words else 0)
            words[key] = WordCoverage(key[1], place.line, xt in move_words, runs)
        nfa = native.previous(nfa)
