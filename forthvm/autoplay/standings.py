"""How an entrant, or whoever had a seat, fared: results, their mean score, his effort.

Owns what a win, a draw and a pair are, and what is judged by pairs.  It must not know matches.

A seat's result is a draw where all seats have the same score, a win where none has more, a
shared win if another has as much, else a loss.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from forthvm.autoplay.statistics import (
    CONFIDENCE,
    GAME_SCORES,
    PAIR_SCORES,
    Interval,
    Sample,
    mean_interval,
    wilson_interval,
)
from forthvm.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from forthvm.autoplay.store import GameRow

__all__ = ["Standing", "Tally", "kind_of", "sample_of"]

_ENOUGH = 0.9
"""The share of results that must be in whole pairs before those are judged instead."""
_TWO = 2
_DIGITS = 9
"""Means of thirds must be equal if they are the same."""


class Standing(Value, kw_only=True):
    """How an entrant, or whoever had a seat, fared.

    Attributes:
        name: The entrant or the seat.
        played: Results; an entrant with two seats of a game has two.
        won: Alone.
        shared: Won together with others.
        drawn: All had the same.
        lost: The rest.
        shared_points: What the shared wins brought.
        points: The scores' sum.
        interval: Of the mean score; by pairs of games where nearly all are in pairs.
        paired: Whether it is by pairs.
        results: Number of the pair and score of each, in the order of the schedule.
        two: All games were between two.
        forfeits: Games lost by a fault.
        moves: Made by choice, the opening's not counted.
        seconds: Thought in all.
        nodes: Visited in all, as the engine tells.
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
    two: bool
    forfeits: int
    moves: int
    seconds: float
    nodes: int

    @property
    def score(self) -> float:
        """The mean score; 0 of nothing."""
        return self.points / self.played if self.played else 0.0

    @property
    def seconds_per_move(self) -> float | None:
        """What a move took; None without moves."""
        return self.seconds / self.moves if self.moves else None

    @property
    def nodes_per_second(self) -> float | None:
        """How fast the engine is; None where it tells no nodes."""
        return self.nodes / self.seconds if self.nodes and self.seconds > 0 else None

    @property
    def scores(self) -> tuple[float, ...]:
        """Of all results, in the order of the schedule."""
        return tuple(score for _, score in self.results)

    def course(self, most: int = 100) -> list[tuple[int, float, Interval]]:
        """The mean score and its interval after some of the results, at most so many times."""
        steps = min(most, self.played)
        ends = {round(self.played * at / steps) for at in range(1, steps + 1)}
        size = _pair_size(self.results) if self.paired else 1
        waiting: defaultdict[int, list[float]] = defaultdict(list)
        units: Counter[float] = Counter()
        total = 0.0
        found = []
        for end, (pair, score) in enumerate(self.results, start=1):
            total += score
            waiting[pair].append(score)
            if size == 1 or len(waiting[pair]) == size:
                units[round(sum(waiting[pair]) / len(waiting[pair]), _DIGITS)] += 1
                del waiting[pair]
            if end in ends:
                sample = Sample.counted(units, _possible(two=self.two, size=size))
                found.append((end, total / end, mean_interval(sample)))
        return found

    def share(self, count: int, confidence: float = CONFIDENCE) -> Interval:
        """Wilson's interval of a count's share in what was played: of `won`, say."""
        return wilson_interval(count, self.played, confidence)


class Tally:
    """A standing in the making."""

    def __init__(self) -> None:
        self.results: list[tuple[int, float]] = []
        """Number of the pair and score."""
        self.kinds: Counter[str] = Counter()
        self.forfeits = self.moves = self.nodes = 0
        self.seconds = self.shared_points = 0.0
        self.two = True

    def add(self, row: GameRow, player: str, chosen: int) -> None:
        """Counts what a player did in a game, `chosen` being the moves that he chose."""
        score = row.outcome.get(player, 0.0)
        scores = [row.outcome.get(other, 0.0) for other in row.seats]
        self.results.append((row.pair, score))
        kind = kind_of(score, scores)
        self.kinds[kind] += 1
        self.shared_points += score if kind == "shared" else 0.0
        self.forfeits += row.reason.startswith(_forfeit(row, player))
        self.moves += chosen
        self.nodes += row.nodes.get(player, 0)
        self.seconds += row.thinking.get(player, 0.0)
        self.two = self.two and len(scores) == _TWO

    def standing(self, name: str) -> Standing:
        """What it comes to."""
        sample, paired = sample_of(self.results, two=self.two)
        return Standing(
            name=name,
            played=len(self.results),
            won=self.kinds["won"],
            shared=self.kinds["shared"],
            drawn=self.kinds["drawn"],
            lost=self.kinds["lost"],
            shared_points=self.shared_points,
            points=math.fsum(score for _, score in self.results),
            interval=mean_interval(sample),
            paired=paired,
            results=tuple(self.results),
            two=self.two,
            forfeits=self.forfeits,
            moves=self.moves,
            seconds=self.seconds,
            nodes=self.nodes,
        )


def kind_of(score: float, scores: Sequence[float]) -> str:
    """`won`, `shared`, `drawn` or `lost`: a score among those of all seats."""
    best = max(scores)
    if len(scores) > 1 and best == min(scores):
        return "drawn"
    if score < best:
        return "lost"
    return "won" if scores.count(best) == 1 else "shared"


def _forfeit(row: GameRow, player: str) -> str:
    """How the reason begins where this player's engine failed (game.py)."""
    return f"forfeit: {row.seats[player]} ({player}): "


def sample_of(results: Sequence[tuple[int, float]], *, two: bool) -> tuple[Sample, bool]:
    """The scores, or the means of whole pairs where nearly all are in those.

    What is here called a pair are all games that share opening and luck: with more than two
    seats there is one for each rotation.
    """
    size = _pair_size(results)
    if size > 1:
        groups = defaultdict(list)
        for pair, score in results:
            groups[pair].append(score)
        whole = [scores for scores in groups.values() if len(scores) == size]
        if len(whole) > 1 and size * len(whole) >= _ENOUGH * len(results):
            means = (round(sum(scores) / size, _DIGITS) for scores in whole)
            return Sample.of(means, _possible(two=two, size=size)), True
    scores = (round(score, _DIGITS) for _, score in results)
    return Sample.of(scores, _possible(two=two, size=1)), False


def _pair_size(results: Iterable[tuple[int, float]]) -> int:
    """Results of a whole pair; 1 where games are not in pairs."""
    return max(Counter(pair for pair, _ in results if pair).values(), default=1)


def _possible(*, two: bool, size: int) -> tuple[float, ...]:
    """The scores that are possible for sure."""
    if two and size <= _TWO:
        return PAIR_SCORES if size == _TWO else GAME_SCORES
    return (0.0, 1.0)
