"""Strength: short matches that tell how a network compares with what played before.

Their scores are kept in the file of a network, with the time at which they were measured.

Each opening is played once for each seat of the network's engine; the mean score of an opening's
games is one observation, as a pair of games is in autoplay.  `forthvm autoplay` measures exactly;
these matches show whether training helps.
"""

from __future__ import annotations

import math
import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.autoplay.statistics.formulas import Sample, mean_interval
from forthvm.core import reading
from forthvm.engines.protocol import Limits

from .selfplay import decisions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from forthvm.engines.protocol import Engine
    from forthvm.game import Game, Position

__all__ = ["Strength", "StrengthPoint", "compare", "strength_points", "with_strength"]

StrengthPoint = tuple[float, float, float, float]
"""Seconds of training, score, and the ends of its interval."""
_OPENING_PLIES = 4
_MAX_PLIES = 300
_MAX_POINTS = 256
"""If there are more points, every second one is dropped."""
_share = reading.number(0, 1)
_read_points = reading.list_of(
    reading.tuple_of(reading.number(0), _share, _share, _share), _MAX_POINTS
)


@dataclass(frozen=True)
class Strength:
    """The score of an engine against others, as a share of the points.

    Attributes:
        games: The number of games.
        score: The mean score, from 0 to 1.
        low: Lower end of the 95 % interval.
        high: Upper end of the interval.
        equal: The score of equal engines: 1 divided by the number of seats.
    """

    games: int
    score: float
    low: float
    high: float
    equal: float

    def __str__(self) -> str:
        return (
            f"{self.score:.0%} of the points in {self.games} games ({self.low:.0%} to"
            f" {self.high:.0%}; equal engines: {self.equal:.0%})"
        )


def compare(  # noqa: PLR0913 - keyword-only options, each of them documented
    game: Game,
    engine: Engine,
    opponent: Engine,
    *,
    openings: int,
    nodes: int,
    seconds: float = math.inf,
) -> Strength:
    """Return how an engine scores against another one, which has all other seats.

    Args:
        game: The game.
        engine: The engine.
        opponent: The other engine.
        openings: The number of openings: random moves, which depend on their number.
        nodes: The limit of each search.
        seconds: After this time no further opening is played.

    Raises:
        ForthVMError: The script fails.
    """
    seats = game.contestants or game.players
    means: list[float] = []
    end = time.monotonic() + seconds
    for number in range(openings):
        if means and time.monotonic() > end:
            break
        points = 0.0
        for seat in seats:
            players = [engine if name == seat else opponent for name in game.players]
            points += _score(_played(game, players, Limits(nodes=nodes), number), seat)
        means.append(points / len(seats))
    interval = mean_interval(Sample.of(means, (0.0, 1.0)))
    mean = sum(means) / len(means)
    return Strength(len(means) * len(seats), mean, interval.low, interval.high, 1 / len(seats))


def with_strength(
    points: Sequence[StrengthPoint], seconds: float, strength: Strength
) -> list[StrengthPoint]:
    """Return the points with another one; for the entry `strength` of what a network learned."""
    kept = points if len(points) < _MAX_POINTS else points[1::2]
    numbers = (strength.score, strength.low, strength.high)
    score, low, high = (round(number, 4) for number in numbers)
    return [*kept, (round(seconds, 1), score, low, high)]


def strength_points(learned: Mapping[str, object]) -> tuple[StrengthPoint, ...]:
    """Return the points of a network; none if the entry is missing or damaged."""
    try:
        return _read_points(learned.get("strength", []))
    except reading.ReadError:
        return ()


def _played(game: Game, players: Sequence[Engine], limits: Limits, seed: int) -> Position:
    """Return the last position of a game."""
    choices = random.Random(seed)
    for player in {id(player): player for player in players}.values():
        player.new_game()
    position = game.start()
    position.seed(seed % 2**31)
    for _ in decisions(position, choices, opening=_OPENING_PLIES):
        position.push(players[position.player_index].play(position, limits).move)
        if position.ply >= _MAX_PLIES:
            break
    return position


def _score(position: Position, player: str) -> float:
    """Return a player's share of the point; all have equal shares without a winner."""
    outcome = position.result
    sharing = outcome.winners if outcome is not None and outcome.winners else None
    if sharing is None:
        return 1 / len(position.game.contestants or position.game.players)
    return (player in sharing) / len(sharing)
