"""The sequential test of a match, fed with games in whatever order they end.

Owns the order in which the test takes games and which game decided it.  The formulas are
sprt.py's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.autoplay.match.settings import MatchError
from forthvm.autoplay.statistics.sprt import CONTINUE, Sprt, SprtSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.autoplay.match.settings import Settings
    from forthvm.autoplay.results.store import GameRow

__all__ = ["SequentialTest"]

_PAIR = 2


class SequentialTest:
    """A sequential test fed by number, whatever the order in which games end."""

    def __init__(self, settings: Settings, *, paired: bool) -> None:
        """Made by `of`."""
        self._sprt = Sprt(SprtSettings.parse(settings.sprt), paired=paired)
        self._first = settings.entrants[0].name
        self._paired = paired
        self._waiting: dict[int, GameRow] = {}
        self._next = 1
        self._pair: list[GameRow] = []
        self.decision: str | None = None
        self.decided_by: int | None = None
        """Number of the game."""

    @classmethod
    def of(cls, settings: Settings, seats: Sequence[str]) -> SequentialTest | None:
        """The test that a match asks for, None where it asks for none.

        Raises:
            MatchError: it is not a test, or not of such a match.
        """
        if not settings.sprt:
            return None
        if len(settings.entrants) != _PAIR or len(seats) != _PAIR:
            raise MatchError("a sequential test is about two entrants in a game of two")
        try:
            return cls(settings, paired=settings.schedule != "fixed")
        except ValueError as error:
            raise MatchError(f"--sprt: {error}") from error

    @property
    def llr(self) -> float:
        """The log-likelihood ratio so far."""
        return self._sprt.llr

    def add(self, row: GameRow) -> None:
        """Takes a game; those before it may still be missing."""
        self._waiting.setdefault(row.id, row)
        while self.decision is None and (found := self._waiting.pop(self._next, None)):
            self._next += 1
            self._take(found)

    def _take(self, row: GameRow) -> None:
        if not self._paired:
            if not row.void:
                self._score(row.entrant_scores()[self._first], row.id)
            return
        self._pair.append(row)
        if len(self._pair) < _PAIR:
            return
        pair, self._pair = self._pair, []
        if not any(each.void for each in pair):
            scores = [each.entrant_scores()[self._first] for each in pair]
            self._score(sum(scores) / _PAIR, row.id)

    def _score(self, score: float, number: int) -> None:
        decision = self._sprt.add(score)
        if decision != CONTINUE:
            self.decision, self.decided_by = decision, number
