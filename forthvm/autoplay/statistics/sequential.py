"""The sequential test of a match whose games end in any order.

Owns the order in which games are added to the test, and the number of the game that decided it.
It must not know formulas (sprt.py).
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

_TWO = 2


class SequentialTest:
    """A sequential test that evaluates games in the order of their numbers."""

    def __init__(self, settings: Settings, *, paired: bool) -> None:
        """Create a test; callers use `of`."""
        self._sprt = Sprt(SprtSettings.parse(settings.sprt), paired=paired)
        self._first_entrant = settings.entrants[0].name
        self._paired = paired
        self._waiting: dict[int, GameRow] = {}
        """The games, by number, that wait for a game with a lower number."""
        self._next = 1
        """The number of the next game to evaluate."""
        self._pair: list[GameRow] = []
        """The evaluated games of an incomplete pair."""
        self.decision: str | None = None
        """The accepted hypothesis; None before the decision."""
        self.decided_by: int | None = None
        """The number of the game that decided the test."""

    @classmethod
    def of(cls, settings: Settings, seats: Sequence[str]) -> SequentialTest | None:
        """Return the test of a match; None if its settings have none.

        Raises:
            MatchError: The settings of the test are invalid, or there are not two entrants and two
                seats.
        """
        if not settings.sprt:
            return None
        if len(settings.entrants) != _TWO or len(seats) != _TWO:
            raise MatchError("a sequential test needs two entrants and a game for two players")
        try:
            return cls(settings, paired=settings.schedule != "fixed")
        except ValueError as error:
            raise MatchError(f"--sprt: {error}") from error

    @property
    def llr(self) -> float:
        """The log-likelihood ratio so far."""
        return self._sprt.llr

    def add(self, row: GameRow) -> None:
        """Add a game.  It is evaluated as soon as all games with lower numbers were evaluated."""
        self._waiting.setdefault(row.id, row)
        while self.decision is None and (next_row := self._waiting.pop(self._next, None)):
            self._next += 1
            self._evaluate(next_row)

    def _evaluate(self, row: GameRow) -> None:
        if not self._paired:
            if not row.void:
                self._score(row.entrant_scores()[self._first_entrant], row.id)
            return
        self._pair.append(row)
        if len(self._pair) < _TWO:
            return
        pair, self._pair = self._pair, []
        if not any(game.void for game in pair):
            scores = [game.entrant_scores()[self._first_entrant] for game in pair]
            self._score(sum(scores) / _TWO, row.id)

    def _score(self, score: float, number: int) -> None:
        """Add the score of a game, or of a pair whose last game has this number, to the test."""
        decision = self._sprt.add(score)
        if decision != CONTINUE:
            self.decision, self.decided_by = decision, number
