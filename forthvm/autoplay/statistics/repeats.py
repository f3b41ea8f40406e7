"""Repeated games: their number, and whether chance explains the number.

Owns the definition of a repeated game, and the number that is expected by chance.

A game is repeated if an earlier game has the same moves.  The games of a pair share their opening
and random seed, so identical engines play the same game twice.  Games of different pairs should
differ.  If engines choose at random, the probability that a game repeats another game with the same
opening is 1 divided by the product of the numbers of legal moves at its choices.  Deterministic
engines repeat games far more often.

A copy is a repetition that chance does not explain.  Copies are no new observations, so a
sequential test leaves them out.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.autoplay.statistics.formulas import poisson_tail

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.autoplay.results.store import GameRow

__all__ = ["CopyFilter", "RepeatCounter", "Repeats"]

_SIGNIFICANCE = 0.001
"""The probability below which chance does not explain the number of repeated games."""
_COPY_SIGNIFICANCE = 0.01
"""The probability of repeating an earlier pair by chance below which a pair is a copy."""
_ALLOWANCE = 2.0
"""The expected number is multiplied by this factor: it is computed from the mean number of legal
moves, and therefore too low for short games."""


@dataclass(frozen=True, kw_only=True)
class Repeats:
    """The numbers of repeated games in a match.

    Attributes:
        games: Number of games whose moves are known.
        different: Number of different games among them.
        within_pairs: Number of games that repeat only a game of their own pair.
        across_pairs: Number of games that repeat an earlier game of another pair.
        expected: The expected value of `across_pairs` if engines chose at random.
        paired: Whether games come in pairs.
    """

    games: int
    different: int
    within_pairs: int
    across_pairs: int
    expected: float
    paired: bool

    @property
    def count(self) -> int:
        """The number of all repeated games."""
        return self.within_pairs + self.across_pairs

    @property
    def beyond_chance(self) -> bool:
        """Whether chance does not explain the number of repeated games in different pairs."""
        likelihood = poisson_tail(self.across_pairs, _ALLOWANCE * self.expected)
        return bool(self.across_pairs) and likelihood < _SIGNIFICANCE


class CopyFilter:
    """Finds copies among pairs of games, or among games without pairs."""

    def __init__(self) -> None:
        self._earlier: set[frozenset[object]] = set()
        self._openings: Counter[object] = Counter()
        """The number of pairs by opening."""

    def is_copy(self, games: Sequence[GameRow]) -> bool:
        """Add the games of a pair; return whether they are a copy of the games of another pair."""
        key = frozenset((tuple(row.seats.items()), row.digest) for row in games)
        opening = games[0].opening
        with_opening = self._openings[opening]
        self._openings[opening] += 1
        if key not in self._earlier:
            self._earlier.add(key)
            return False
        choices = sum(_chosen_moves(row) * math.log(max(row.branching, 1.0)) for row in games)
        return with_opening * math.exp(-choices) < _COPY_SIGNIFICANCE


def _chosen_moves(row: GameRow) -> int:
    """Return the number of moves that engines chose in a game."""
    return sum(player in row.seats for player, _ in row.moves[len(row.opening) :])


class RepeatCounter:
    """Counts repeated games."""

    def __init__(self) -> None:
        self._pairs: defaultdict[str, set[int]] = defaultdict(set)
        """The pairs in which a game was played, by the digest of its moves."""
        self._sizes: Counter[int] = Counter()
        """The number of games by pair."""
        self._openings: Counter[object] = Counter()
        """The number of games by opening.  A tuple of opening and pair is a further key."""
        self._games = self._in_pairs = self._across = 0
        self._expected = 0.0

    def add(self, row: GameRow, chosen_moves: int) -> None:
        """Count a game in which engines chose `chosen_moves` moves."""
        if not row.moves:  # the worker died before it returned the moves
            return
        pair = row.pair or -row.id  # a game without a pair is a pair of its own
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
            self._expected += earlier_games * math.exp(-chosen_moves * math.log(row.branching))

    @property
    def repeats(self) -> Repeats:
        """The numbers for all games added."""
        return Repeats(
            games=self._games,
            different=len(self._pairs),
            within_pairs=self._in_pairs,
            across_pairs=self._across,
            expected=self._expected,
            paired=max(self._sizes.values(), default=1) > 1,
        )
