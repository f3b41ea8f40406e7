"""What a program reports during a search, as reports and the result of an engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forthvm.core.errors import MoveError
from forthvm.engines.protocol import Info, SearchResult
from forthvm.engines.protocols.words import PASS, decode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from forthvm.engines.protocol import Reporter
    from forthvm.engines.protocols.words import Words
    from forthvm.game import Move, Position

__all__ = ["MAX_LINES", "InfoLine", "SearchReports"]

MAX_LINES = 256
"""The maximum number of best moves that a search finds: that of the engines' option `lines`."""
_MAX_PV = 200
"""The maximum number of moves read from a principal variation."""


@dataclass(kw_only=True)
class InfoLine:
    """The contents of an `info` line, with moves as words."""

    depth: int | None = None
    nodes: int | None = None
    time: float | None = None
    """Seconds since the search began."""
    score: float | None = None
    line: int | None = None
    """Index of the line of moves; 0 is the best line."""
    current: str | None = None
    """The root move that is being searched."""
    pv: list[str] = field(default_factory=list)
    text: str | None = None
    """The text after `string`, or in UCCI `message`."""


class SearchReports:
    """Collects the reports of the program during one search."""

    def __init__(
        self, position: Position, report: Reporter | None, words_of: Callable[[Position], Words]
    ) -> None:
        """Collect the reports of a search of `position`, and pass them to `report`."""
        self._position = position
        self._report = report
        self._words_of = words_of
        self.words = words_of(position)
        """The words of the legal moves of the position."""
        self.text = ""
        """The last text of the program for users."""
        self._score: float | None = None
        self._pv: list[str] = []
        self._lines: dict[int, tuple[float | None, list[str]]] = {}  # score and words by index
        self._depth = 0
        self._nodes = 0

    def add(self, line_info: InfoLine, now: float) -> None:
        """Store a report and pass it to the caller.

        Args:
            line_info: The report.
            now: The time since the search began, in seconds.
        """
        if line_info.text is not None:
            self.text = line_info.text
        self._depth = line_info.depth or self._depth
        self._nodes = line_info.nodes or self._nodes
        if not line_info.line and (line_info.score is not None or line_info.pv):
            # Some programs send a separate line for each value.
            self._score = self._score if line_info.score is None else line_info.score
            self._pv = line_info.pv or self._pv
        if line_info.line is not None and line_info.line < MAX_LINES and line_info.pv:
            self._lines[line_info.line] = line_info.score, line_info.pv
        if self._report is not None:
            self._report(self._info(line_info, now))

    def _info(self, line_info: InfoLine, now: float) -> Info:
        pv = [move.text for move in self._moves_of_line(line_info.pv)]
        pv = pv or [decode(word) for word in line_info.pv[:_MAX_PV]]
        return Info(
            current=None if line_info.current is None else self._move_text(line_info.current),
            best=pv[0] if pv else None,
            score=line_info.score,
            nodes=line_info.nodes,
            depth=line_info.depth,
            line=line_info.line if line_info.line is not None else (0 if pv else None),
            pv=tuple(pv),
            time=now if line_info.time is None else line_info.time,
        )

    def _move_text(self, word: str) -> str:
        try:
            return self._position.legal_moves.texts[self.words.find(word)]
        except MoveError:
            return decode(word)

    def result(self, move: Move, elapsed: float) -> SearchResult:
        """Return the search result with the reported values."""
        line = self._moves_of_line(self._pv)
        info: dict[str, object] = {"said": self.text} if self.text else {}
        if len(self._lines) > 1:
            info["lines"] = self._last_lines()
        return SearchResult(
            move=move,
            score=self._score,
            pv=line if line and line[0].index == move.index else (move,),
            depth=self._depth,
            nodes=self._nodes,
            time=elapsed,
            info=info,
        )

    def _last_lines(self) -> list[tuple[float | None, tuple[Move, ...]]]:
        """Return the score and the moves of each line that was reported last, the best line first.

        After a search that was stopped, two lines may have the same first move; the better one
        counts.
        """
        by_first_move: dict[str, tuple[float | None, tuple[Move, ...]]] = {}
        for _, (score, words) in sorted(self._lines.items()):
            by_first_move.setdefault(words[0], (score, self._moves_of_line(words)))
        return list(by_first_move.values())

    def _moves_of_line(self, words: Iterable[str]) -> tuple[Move, ...]:
        """Return the moves of a principal variation up to the first illegal move.

        Forced passes are left out.
        """
        position = self._position.copy()
        moves: list[Move] = []
        for word in list(words)[:_MAX_PV]:
            while position.result is None and position.is_stuck:
                position.push_pass()
            if position.result is not None:
                break
            try:
                index = self._words_of(position).find(word)
            except MoveError:
                if word == PASS:
                    continue
                break
            move = position.legal_moves[index]
            moves.append(move)
            position.push(move)
        return tuple(moves)
