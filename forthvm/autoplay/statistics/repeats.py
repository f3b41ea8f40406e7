"""Games that repeat others move by move: how many, and whether chance explains them.

Owns what a repeat is and how many chance explains.  It must not know files, nor how this is told.

The games of a pair share their opening and luck, so engines that play alike play the same game
twice; a pair is one observation.  Games of different pairs count as independent.  Chance explains
a repeat of such a game where engines choose at random: two games with the same opening are then
the same with a probability of 1 over the product of the numbers of legal moves.  Far more repeats
than that come of engines that draw no random numbers, or the same ones in every game.
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

_RARE = 0.001
_ALLOWANCE = 2.0
"""The mean of the numbers of legal moves underestimates what chance explains in short games."""


class Repeats(Value, kw_only=True):
    """How often games of a match repeat others.

    Attributes:
        games: Games whose moves are known.
        different: How many of them are different.
        in_pairs: Games like another of their own pair, and like none of another pair.
        across: Games like one of another pair that was counted before.
        expected: How many of those there would be if engines chose at random.
        paired: Games come in pairs.
    """

    games: int
    different: int
    in_pairs: int
    across: int
    expected: float
    paired: bool

    @property
    def count(self) -> int:
        """Games that are like another."""
        return self.in_pairs + self.across

    @property
    def suspicious(self) -> bool:
        """Chance does not explain them.

        Engines that choose at random give so many in fewer than one match of a thousand, even if
        twice as many are expected.
        """
        return bool(self.across) and poisson_tail(self.across, _ALLOWANCE * self.expected) < _RARE


class RepeatCounter:
    """Repeats in the making."""

    def __init__(self) -> None:
        self._pairs: defaultdict[str, set[int]] = defaultdict(set)
        """Pairs in which each game was played, by digest."""
        self._sizes: Counter[int] = Counter()
        self._begun: Counter[object] = Counter()
        """Games by opening, and by opening and pair."""
        self._games = self._in_pairs = self._across = 0
        self._expected = 0.0

    def add(self, row: GameRow, choices: int) -> None:
        """Counts a game in which engines chose so many moves."""
        if not row.moves:  # lost with its worker, which had not told them
            return
        pair = row.pair or -row.id
        before = self._pairs[row.digest]
        if before - {pair}:
            self._across += 1
        elif before:
            self._in_pairs += 1
        before.add(pair)
        self._games += 1
        self._sizes[pair] += 1
        others = self._begun[row.opening] - self._begun[row.opening, pair]
        self._begun[row.opening] += 1
        self._begun[row.opening, pair] += 1
        if row.branching >= 1:
            self._expected += others * math.exp(-choices * math.log(row.branching))

    @property
    def repeats(self) -> Repeats:
        """What it comes to."""
        return Repeats(
            games=self._games,
            different=len(self._pairs),
            in_pairs=self._in_pairs,
            across=self._across,
            expected=self._expected,
            paired=max(self._sizes.values(), default=1) > 1,
        )
