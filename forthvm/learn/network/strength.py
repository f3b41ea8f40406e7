"""Strength: short matches that tell how a network compares with what played before.

Each opening is played once for each seat of the network's engine; the mean score of an opening's
games is one observation, as a pair of games is in autoplay.  `forthvm autoplay` measures exactly;
these matches show whether training helps.
"""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.autoplay.statistics.formulas import Sample, mean_interval
from forthvm.engines.protocol import Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.engines.protocol import Engine
    from forthvm.game import Game, Position

__all__ = ["Strength", "compare"]

_OPENING_PLIES = 4
_MAX_PLIES = 300


@dataclass(frozen=True)
class Strength:
    """The score of an engine against others, as a share of the points.

    Attributes:
        games: The number of games.
        score: The mean score, from 0 to 1.
        low: Lower end of the 95 % interval.
        high: Upper end of the interval.
    """

    games: int
    score: float
    low: float
    high: float

    def __str__(self) -> str:
        return (
            f"{self.score:.0%} of the points in {self.games} games ({self.low:.0%} to"
            f" {self.high:.0%})"
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
    counts = Counter(round(2 * len(seats) * mean) for mean in means)
    steps = range(2 * len(seats) + 1)
    sample = Sample(
        tuple(step / len(steps[1:]) for step in steps), tuple(counts[step] for step in steps)
    )
    interval = mean_interval(sample)
    return Strength(len(means) * len(seats), sum(means) / len(means), interval.low, interval.high)


def _played(game: Game, players: Sequence[Engine], limits: Limits, seed: int) -> Position:
    """Return the last position of a game."""
    choices = random.Random(seed)
    position = game.start()
    position.seed(seed % 2**31)
    while position.result is None and position.ply < _MAX_PLIES:
        moves = position.legal_moves
        if position.is_stuck:
            position.push_pass()
        elif position.is_chance or position.ply < _OPENING_PLIES:
            position.push(moves[choices.randrange(len(moves))])
        else:
            position.push(players[position.player_index].play(position, limits).move)
    return position


def _score(position: Position, player: str) -> float:
    """Return the score of a player: 1 for a win, 0.5 for a draw or an unfinished game."""
    outcome = position.result
    if outcome is None or outcome.draw:
        return 0.5
    return float(player in outcome.winners)
