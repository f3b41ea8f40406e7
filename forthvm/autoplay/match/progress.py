"""The progress of a match: on a terminal one line that changes, else a line every ten seconds.

Owns the text of the lines and the times at which they are written.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from typing import TYPE_CHECKING, Protocol

from forthvm.autoplay.statistics.formulas import GAME_SCORES, PAIR_SCORES, Sample, mean_interval
from forthvm.autoplay.statistics.interval_text import share_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.autoplay.match.runner import Match
    from forthvm.autoplay.results.store import GameRow

__all__ = ["Progress", "duration"]

_REDRAW_SECONDS = 0.2
"""Seconds between two updates of the line on a terminal."""
_LINE_SECONDS = 10.0
"""Seconds between two lines on other streams."""
_RATE_SECONDS = 60.0
"""The rate of games is computed from the games of this last period, in seconds."""
_DIGITS = 9
"""The decimals to which scores are rounded, so that sums of floats compare equal."""


class Sink(Protocol):
    """The text stream to which lines are written."""

    def write(self, text: str, /) -> object:
        """Write a text."""

    def flush(self) -> object:
        """Flush the stream."""


class Progress:
    """A watcher of a match that writes its progress to a stream."""

    def __init__(
        self,
        sink: Sink,
        *,
        rewrite: bool,
        width: Callable[[], int],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Create a watcher; the runner passes the match to `begun`.

        Args:
            sink: The stream.
            rewrite: Whether to rewrite one line, as on a terminal.
            width: Returns the number of columns of the terminal.
            clock: Returns the time in seconds; replaced by tests.
        """
        self._sink = sink
        self._rewrite = rewrite
        self._width = width
        self._clock = clock
        self._written_at = -1e9
        self._shown = ""
        self._total = self._resumed = 0
        self._finish_times: deque[float] = deque()
        """The time at which the match began, and at which each game was recorded."""
        self._names: Sequence[str] = ()
        self._is_duel = False  # whether two entrants play a game of two seats
        self._match: Match | None = None
        self._done = self._void = 0
        self._points_by_entrant: Counter[str] = Counter()
        """The sum of the entrant's scores."""
        self._seats_by_entrant: Counter[str] = Counter()
        """The number of seats that the entrant had, summed over the games."""
        self._games_by_score: Counter[float] = Counter()
        """The number of games by the score of the first entrant, if the match is a duel."""
        self._pairs_by_score: Counter[float] = Counter()
        """The number of complete pairs by the mean score of the first entrant."""
        self._scores_of_open_pairs: dict[int, float] = {}
        """The score of the first entrant in the finished game of each pair with one such game."""

    def begun(self, match: Match) -> None:
        """Begin the progress of a match; count the games that were recorded earlier."""
        self._match = match
        self._total = match.games
        self._names = [entrant.name for entrant in match.settings.entrants]
        self._is_duel = len(self._names) == 2 and len(match.seats) == 2
        for row in match.rows:
            self._count(row)
        self._resumed = self._done
        self._began = self._clock()
        self._finish_times.append(self._began)
        if self._resumed and self._resumed < self._total:
            self.note(f"{self._resumed} of {self._total} games were played before")
        self._written_at = self._clock()
        if self._rewrite:
            self._draw()

    def recorded(self, row: GameRow) -> None:
        """Count a game."""
        self._count(row)
        self._finish_times.append(self._clock())

    def tick(self) -> None:
        """Write a line if enough time has passed."""
        now = self._clock()
        if self._rewrite:
            if now - self._written_at >= _REDRAW_SECONDS:
                self._written_at = now
                self._draw()
        elif now - self._written_at >= _LINE_SECONDS:
            self._written_at = now
            self._sink.write(f"{self.line(200)}\n")
            self._sink.flush()

    def note(self, text: str) -> None:
        """Write a line that stays on the screen."""
        self._clear()
        self._sink.write(f"{text}\n")
        self._sink.flush()
        if self._rewrite and self._match is not None:
            self._draw()

    def end(self) -> None:
        """Remove the rewritten line, so that the result can follow."""
        self._clear()
        self._sink.flush()

    # --- the line -----------------------------------------------------------------------

    def line(self, width: int) -> str:
        """Return the progress in one line; the last parts are left out if `width` is too small."""
        parts = [
            f"{self._done}/{self._total}",
            self._score(width),
            self._rate(),
            self._remaining_time(),
        ]
        if self._match is not None and self._match.test is not None:
            parts.insert(2, f"LLR {self._match.test.llr:+.2f}")
        if self._void:
            parts.insert(2, f"{self._void} void")
        parts = [part for part in parts if part]
        while len(parts) > 1 and len("  ".join(parts)) > width:
            parts.pop()
        return "  ".join(parts)[:width]

    def _score(self, width: int) -> str:
        if not self._seats_by_entrant:
            return ""
        if self._is_duel:
            first, second = self._names
            # The report, too, computes the interval from pairs if there are complete pairs.
            by_pairs = self._pairs_by_score.total() > 0
            possible = PAIR_SCORES if by_pairs else GAME_SCORES
            counts = self._pairs_by_score if by_pairs else self._games_by_score
            interval = mean_interval(Sample.from_counts(counts, possible))
            mean = self._points_by_entrant[first] / max(1, self._seats_by_entrant[first])
            name_width = max(4, (width - 51) // 2)  # the other parts have up to 51 characters
            points = self._points_by_entrant
            return (
                f"{_cut(first, name_width)} {_number(points[first])} : "
                f"{_number(points[second])} {_cut(second, name_width)}  "
                f"{share_text(mean, interval)}"
            )
        means = {
            name: self._points_by_entrant[name] / self._seats_by_entrant[name]
            for name in self._seats_by_entrant
        }
        leaders = sorted(means, key=lambda name: (-means[name], self._names.index(name)))[:3]
        return ", ".join(f"{_cut(name, 16)} {100 * means[name]:.1f} %" for name in leaders)

    def _rate(self) -> str:
        rate = self._per_second()
        if not rate:
            return ""
        return f"{rate:.1f} games/s" if rate >= 1 else f"{60 * rate:.1f} games/min"

    def _remaining_time(self) -> str:
        rate = self._per_second()
        return f"{duration((self._total - self._done) / rate)} left" if rate else ""

    def _per_second(self) -> float:
        now = self._clock()
        while len(self._finish_times) > 1 and now - self._finish_times[0] > _RATE_SECONDS:
            self._finish_times.popleft()
        # The first entry is the beginning of the period and is not counted.
        elapsed = now - self._finish_times[0] if self._finish_times else 0.0
        return (len(self._finish_times) - 1) / elapsed if elapsed > 0 else 0.0

    def _count(self, row: GameRow) -> None:
        self._done += 1
        if row.void:
            self._void += 1
            return
        scores = row.entrant_scores()
        for name in row.seats.values():
            self._seats_by_entrant[name] += 1
        for name, score in scores.items():
            self._points_by_entrant[name] += score  # type: ignore[assignment]  # a float
        if self._is_duel and len(scores) == 2:
            score = round(scores[self._names[0]], _DIGITS)
            self._games_by_score[score] += 1
            if row.pair in self._scores_of_open_pairs:
                self._pairs_by_score[(self._scores_of_open_pairs.pop(row.pair) + score) / 2] += 1
            elif row.pair:
                self._scores_of_open_pairs[row.pair] = score

    def _draw(self) -> None:
        text = self.line(max(20, self._width() - 1))
        if text != self._shown:
            self._sink.write(f"\r{text}\x1b[K")
            self._sink.flush()
            self._shown = text

    def _clear(self) -> None:
        if self._rewrite and self._shown:
            self._sink.write("\r\x1b[K")
            self._shown = ""


def duration(seconds: float) -> str:
    """Return a duration in seconds, minutes or hours.

    >>> duration(8.2), duration(135), duration(7500)
    ('8 s', '2:15 min', '2:05 h')
    """
    total_seconds = round(seconds)
    if total_seconds < 100:  # at most two digits
        return f"{total_seconds} s"
    minutes, remaining_seconds = divmod(total_seconds, 60)
    if minutes < 60:
        return f"{minutes}:{remaining_seconds:02} min"
    return f"{minutes // 60}:{minutes % 60:02} h"


def _number(points: float) -> str:
    return f"{points:.1f}".removesuffix(".0")


def _cut(name: str, max_length: int) -> str:
    return name if len(name) <= max_length else f"{name[: max_length - 1]}~"
