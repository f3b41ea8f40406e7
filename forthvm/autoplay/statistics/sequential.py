"""The sequential test of a match, whose games may end in any order.

Owns the choice of the games that the test counts, their order, and the number of the game that
decided it.  Delegates the formulas to sprt.py.

The test counts complete pairs without void games; a copy of an earlier pair is left out.  In a
match without pairs it counts games.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from forthvm.autoplay.match.settings import MatchError
from forthvm.autoplay.statistics.repeats import CopyFilter
from forthvm.autoplay.statistics.sprt import CONTINUE, Sprt, SprtSettings
from forthvm.core.text.advice import advice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.autoplay.match.settings import Settings
    from forthvm.autoplay.results.store import GameRow

__all__ = ["PairTest", "SequentialTest"]


class PairTest:
    """A sequential test that counts the games of a match in a given order."""

    def __init__(self, settings: SprtSettings, *, paired: bool) -> None:
        """Begin a test; `paired` as in `Sprt`."""
        self.sprt = Sprt(settings, paired=paired)
        self._copies = CopyFilter()
        self._pairs: defaultdict[int, list[GameRow]] = defaultdict(list)
        """The games of incomplete pairs."""

    def add(self, row: GameRow, entrant: str) -> str:
        """Add a game, and return the decision.

        Args:
            row: The game; it may be void.  Games after the decision are not counted.
            entrant: The entrant whose scores are tested.
        """
        games = None if row.void or self.sprt.decision != CONTINUE else self._completed(row)
        if games is None:
            return self.sprt.decision
        if self._copies.is_copy(games):
            self.sprt.copies += 1
            return CONTINUE
        scores = [game.entrant_scores()[entrant] for game in games]
        return self.sprt.add(sum(scores) / len(scores))

    def _completed(self, row: GameRow) -> list[GameRow] | None:
        """Return the games of the pair that a game completes, or a game without pairs."""
        if not self.sprt.paired:
            return [row]
        if not row.pair:
            return None
        self._pairs[row.pair].append(row)
        return self._pairs.pop(row.pair) if len(self._pairs[row.pair]) == 2 else None


class SequentialTest:
    """A sequential test that evaluates games in the order of their numbers."""

    def __init__(self, settings: Settings, *, paired: bool) -> None:
        """Create a test; callers use `of`."""
        self._test = PairTest(SprtSettings.parse(settings.sprt), paired=paired)
        self._first_entrant = settings.entrants[0].name
        self._waiting: dict[int, GameRow] = {}
        """The games, by number, that wait for a game with a lower number."""
        self._next = 1
        """The number of the next game to evaluate."""
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
        if len(settings.entrants) != 2 or len(seats) != 2:
            raise MatchError("a sequential test needs two entrants and a game for two players")
        try:
            return cls(settings, paired=settings.schedule != "fixed")
        except ValueError as error:
            name = advice(python="Settings: `sprt`", command_line="--sprt")
            raise MatchError(f"{name}: {error}") from error

    @property
    def llr(self) -> float:
        """The log-likelihood ratio so far."""
        return self._test.sprt.llr

    def add(self, row: GameRow) -> None:
        """Add a game.  It is evaluated as soon as all games with lower numbers were evaluated."""
        self._waiting.setdefault(row.id, row)
        while self.decision is None and (next_row := self._waiting.pop(self._next, None)):
            self._next += 1
            decision = self._test.add(next_row, self._first_entrant)
            if decision != CONTINUE:
                self.decision, self.decided_by = decision, next_row.id
