"""Repeated games: their number, and whether chance explains it.

Owns the definition of a repeated game, and the number that is expected by chance.  It must not
know files, or how the numbers are displayed.

The games of a pair share their opening and random seed, so identical engines play the same game
twice; a pair is one observation.  Games of different pairs count as independent.  If engines
choose at random, the probability that a game repeats another game with the same opening is 1 over
the product of the numbers of legal moves at its choices.  Repeated games are far more frequent if
engines draw no random numbers, or the same random numbers in every game.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from forthvm.autoplay.statistics.formulas import poisson_tail
from forthvm.core.value import Value

if TYPE_CHECKING:
    from forthvm.autoplay.results.store import GameRow

__all__ = ["RepeatCounter", "Repeats"]

_SIGNIFICANCE = 0.001
"""The probability below which chance does not explain the number of repeated games."""
_ALLOWANCE = 2.0
"""A factor for the expected number, which is too low for short games because it is computed from
the mean number of legal moves."""


class Repeats(Value, kw_only=True):
    """The numbers of repeated games in a match.

    Attributes:
        games: Number of games whose moves are known.
        different: Number of different games among them.
        in_pairs: Number of games that repeat a game of their own pair but no game of another pair.
        across: Number of games that repeat an earlier game of another pair.
        expected: The expected value of `across` if engines chose at random.
        paired: Whether games come in pairs.
    """

    games: int
    different: int
    in_pairs: int
    across: int
    expected: float
    paired: bool

    @property
    def count(self) -> int:
        """The number of all repeated games."""
        return self.in_pairs + self.across

    @property
    def suspicious(self) -> bool:
        """Whether chance does not explain the repeated games.

        If moves were chosen at random, such a number would occur in fewer than one match in a
        thousand, even if twice as many repeated games were expected.
        """
        likelihood = poisson_tail(self.across, _ALLOWANCE * self.expected)
        return bool(self.across) and likelihood < _SIGNIFICANCE


class RepeatCounter:
    """Counts repeated games."""

    def __init__(self) -> None:
        self._pairs: defaultdict[str, set[int]] = defaultdict(set)
        """The pairs in which a game was played, by the digest of its moves."""
        self._sizes: Counter[int] = Counter()
        """The number of games by pair."""
        self._openings: Counter[object] = Counter()
        """The number of games by opening, and by opening and pair."""
        self._games = self._in_pairs = self._across = 0
        self._expected = 0.0

    def add(self, row: GameRow, choices: int) -> None:
        """Count a game in which engines chose `choices` moves."""
        if not row.moves:  # the worker died before it returned the moves
            return
        pair = row.pair or -row.id
        pairs_with_game = self._pairs[row.digest]
        if pairs_with_game - {pair}:
            self._across += 1
        elif pairs_with_game:
            self._in_pairs += 1
        pairs_with_game.add(pair)
        self._games += 1
        self._sizes[pair] += 1
        earlier_games = self._openings[row.opening] - self._openings[row.opening, pair]
        self._openings[row.opening] += 1
        self._openings[row.opening, pair] += 1
        if row.branching >= 1:
            self._expected += earlier_games * math.exp(-choices * math.log(row.branching))

    @property
    def repeats(self) -> Repeats:
        """The numbers for all games added."""
        return Repeats(
            games=self._games,
            different=len(self._pairs),
            in_pairs=self._in_pairs,
            across=self._across,
            expected=self._expected,
            paired=max(self._sizes.values(), default=1) > 1,
        )
