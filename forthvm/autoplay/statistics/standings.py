"""Results of an entrant or of a seat: wins, draws and losses, mean score, time and nodes.

Owns the definitions of win, draw and complete pair, and the choice between intervals by pairs and
by games.

If all seats of a game have the same score, the game is a draw.  Otherwise a seat with the highest
score has won, or has a shared win if several seats have the highest score; other seats have lost.

The games of a pair share opening and random seed, so they are not independent of each other.  An
interval *by pairs* therefore treats the mean of a complete pair as one observation.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.autoplay.statistics.failures import has_forfeited
from forthvm.autoplay.statistics.formulas import (
    GAME_SCORES,
    PAIR_SCORES,
    Interval,
    Sample,
    mean_interval,
    wilson_interval,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from forthvm.autoplay.results.store import GameRow

__all__ = [
    "Standing",
    "Tally",
    "can_use_pairs",
    "observed_means",
    "result_kind",
    "sample_of",
    "share_interval",
]

_MIN_PAIRED_SHARE = 0.9
"""Intervals are by pairs if at least this share of the games is in complete pairs."""
_DIGITS = 9
"""The decimals to which means are rounded, so that sums of floats compare equal."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Results of an entrant, or of a seat.

    Attributes:
        name: The entrant or the seat.
        played: Number of results.  An entrant with two seats has two results in a game.
        won: Number of wins that were not shared.
        shared: Number of shared wins.
        drawn: Number of draws.
        lost: Number of losses.
        shared_points: Points from shared wins.
        points: The sum of the scores.
        interval: The interval of the mean score.
        paired: Whether intervals are by pairs.
        results: Pair number and score of each result, in the order of the schedule.
        kinds: The kind of each result: `won`, `shared`, `drawn` or `lost`.
        two_seats: Whether all games had two seats.
        forfeits: Number of games lost by forfeit.
        moves: Number of moves that the engine chose.
        seconds: Total thinking time.
        nodes: Total number of nodes that the engine reported.
    """

    name: str
    played: int
    won: int
    shared: int
    drawn: int
    lost: int
    shared_points: float
    points: float
    interval: Interval
    paired: bool
    results: tuple[tuple[int, float], ...]
    kinds: tuple[str, ...]
    two_seats: bool
    forfeits: int
    moves: int
    seconds: float
    nodes: int

    @property
    def score(self) -> float:
        """The mean score; 0 without results."""
        return self.points / self.played if self.played else 0.0

    @property
    def seconds_per_move(self) -> float | None:
        """The mean thinking time of a move; None without moves."""
        return self.seconds / self.moves if self.moves else None

    @property
    def nodes_per_second(self) -> float | None:
        """The engine's speed; None if it reports no nodes."""
        return self.nodes / self.seconds if self.nodes and self.seconds > 0 else None

    @property
    def scores(self) -> tuple[float, ...]:
        """The scores of all results, in the order of the schedule."""
        return tuple(score for _, score in self.results)

    def score_history(self, max_points: int = 100) -> list[tuple[int, float, Interval]]:
        """Return the mean score over the course of the match, as points of a chart.

        Returns:
            For each point the number of results, their mean score, and its interval.
        """
        count = min(max_points, self.played)
        shown_counts = {round(self.played * at / count) for at in range(1, count + 1)}
        pair_size = _pair_size(self.results) if self.paired else 1
        incomplete: defaultdict[int, list[float]] = defaultdict(list)
        observations: Counter[float] = Counter()
        total = 0.0
        points = []
        for result_count, (pair, score) in enumerate(self.results, start=1):
            total += score
            incomplete[pair].append(score)
            if pair_size == 1 or len(incomplete[pair]) == pair_size:
                observations[round(sum(incomplete[pair]) / len(incomplete[pair]), _DIGITS)] += 1
                del incomplete[pair]
            if result_count in shown_counts:
                sample = Sample.from_counts(
                    observations, _possible_scores(two_seats=self.two_seats, pair_size=pair_size)
                )
                points.append((result_count, total / result_count, mean_interval(sample)))
        return points

    def share(self, kind: str) -> Interval:
        """Return the interval of the share of the results with this kind (see `kinds`)."""
        results_and_kinds = zip(self.results, self.kinds, strict=True)
        results = [(pair, float(other == kind)) for (pair, _), other in results_and_kinds]
        return share_interval(results, paired=self.paired)


class Tally:
    """Collects the results of an entrant or a seat."""

    def __init__(self) -> None:
        self.results: list[tuple[int, float]] = []
        """Pair number and score of each result."""
        self.kinds: list[str] = []
        """The kind of each result: `won`, `shared`, `drawn` or `lost`."""
        self.forfeits = self.moves = self.nodes = 0
        self.seconds = self.shared_points = 0.0
        self.two_seats = True

    def add(self, row: GameRow, player: str, chosen_moves: int) -> None:
        """Add a player's result in a game; `chosen_moves` is the number of its engine's moves."""
        score = row.outcome.get(player, 0.0)
        scores = [row.outcome.get(other, 0.0) for other in row.seats]
        self.results.append((row.pair, score))
        kind = result_kind(score, scores)
        self.kinds.append(kind)
        self.shared_points += score if kind == "shared" else 0.0
        self.forfeits += has_forfeited(row, player)
        self.moves += chosen_moves
        self.nodes += row.nodes.get(player, 0)
        self.seconds += row.thinking.get(player, 0.0)
        self.two_seats = self.two_seats and len(scores) == 2

    def standing(self, name: str, *, paired: bool) -> Standing:
        """Return the standing; `paired` selects intervals by pairs."""
        kinds = Counter(self.kinds)
        return Standing(
            name=name,
            played=len(self.results),
            won=kinds["won"],
            shared=kinds["shared"],
            drawn=kinds["drawn"],
            lost=kinds["lost"],
            shared_points=self.shared_points,
            points=math.fsum(score for _, score in self.results),
            interval=mean_interval(
                sample_of(self.results, two_seats=self.two_seats, paired=paired)
            ),
            paired=paired,
            results=tuple(self.results),
            kinds=tuple(self.kinds),
            two_seats=self.two_seats,
            forfeits=self.forfeits,
            moves=self.moves,
            seconds=self.seconds,
            nodes=self.nodes,
        )


def result_kind(score: float, scores: Sequence[float]) -> str:
    """Return the kind of a result, given its score and the scores of all seats."""
    best = max(scores)
    if len(scores) > 1 and best == min(scores):
        return "drawn"
    if score < best:
        return "lost"
    return "won" if scores.count(best) == 1 else "shared"


def can_use_pairs(pairs: Sequence[int]) -> bool:
    """Whether enough games are in complete pairs for intervals by pairs.

    A pair has one game for each rotation of the seats, so with three seats it has three games.

    Args:
        pairs: The pair number of each game; 0 for a game without a pair.
    """
    sizes = Counter(pair for pair in pairs if pair)
    pair_size = max(sizes.values(), default=1)
    complete = sum(count == pair_size for count in sizes.values())
    return pair_size > 1 and complete > 1 and pair_size * complete >= _MIN_PAIRED_SHARE * len(pairs)


def observed_means(results: Sequence[tuple[int, float]], *, paired: bool) -> list[float]:
    """Return the independent observations.

    Args:
        results: Pair number and value of each result.
        paired: Whether the observations are the means of complete pairs, not the single values.
    """
    if not paired:
        return [round(value, _DIGITS) for _, value in results]
    groups = defaultdict(list)
    for pair, value in results:
        groups[pair].append(value)
    pair_size = _pair_size(results)
    complete = [values for pair, values in groups.items() if pair and len(values) == pair_size]
    return [round(sum(values) / pair_size, _DIGITS) for values in complete]


def sample_of(results: Sequence[tuple[int, float]], *, two_seats: bool, paired: bool) -> Sample:
    """Return the sample of observations for an interval; `two_seats` as in `Standing`."""
    pair_size = _pair_size(results) if paired else 1
    return Sample.of(
        observed_means(results, paired=paired),
        _possible_scores(two_seats=two_seats, pair_size=pair_size),
    )


def share_interval(results: Sequence[tuple[int, float]], *, paired: bool) -> Interval:
    """Return the interval of the share of ones; each result is 1 or 0."""
    if not paired:
        return wilson_interval(sum(value for _, value in results), len(results))
    return mean_interval(sample_of(results, two_seats=False, paired=True))


def _pair_size(results: Iterable[tuple[int, float]]) -> int:
    """Return the number of results in a complete pair; 1 if games are not in pairs."""
    return max(Counter(pair for pair, _ in results if pair).values(), default=1)


def _possible_scores(*, two_seats: bool, pair_size: int) -> tuple[float, ...]:
    """Return the possible scores, observed or not, of a pair of `pair_size` games."""
    if two_seats and pair_size <= 2:
        return PAIR_SCORES if pair_size == 2 else GAME_SCORES
    return (0.0, 1.0)
