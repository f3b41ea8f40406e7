"""What the scores of a game's own evaluation mean, as its games show.

Owns their unit and their usual changes, from which training knows how far to trust what it learns.
"""

from __future__ import annotations

import math
from statistics import median
from typing import TYPE_CHECKING

from forthvm.core.bindings import NETWORK_SCORE

from .selfplay import expected_score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .selfplay import PlayedGame

__all__ = ["MAX_UNIT", "fitted_unit", "own_step"]

MAX_UNIT = float(NETWORK_SCORE)
"""The maximum unit that is fitted: then the evaluation does not tell who wins."""


def fitted_unit(games: Sequence[PlayedGame]) -> float:
    """Return the score at which the expected score is the logistic function of 1, as results show.

    It is the one with which the game's own evaluation predicts results best (the least cross
    entropy); if it does not predict them, it is MAX_UNIT.  Without results it is the median of the
    magnitudes.
    """
    pairs = [
        (own, game.results[view])
        for game in games
        if game.results is not None
        for position in game.positions
        for view, own in position.own.items()
    ]
    if not pairs:
        values = (own for game in games for p in game.positions for own in p.own.values())
        return median([abs(own) for own in values if own] or [MAX_UNIT])

    def loss(unit: float) -> float:
        return sum(_cross_entropy(expected_score(own / unit), result) for own, result in pairs)

    steps = 2 * round(math.log2(MAX_UNIT))
    units: list[float] = [2.0 ** (step / 2) for step in range(steps, -1, -1)]
    return min(units, key=loss)


def own_step(games: Sequence[PlayedGame], unit: float) -> float:
    """Return how much the game's own evaluation usually changes between decisions of a player.

    It is the median of the changes, in units; 0 if there are none.
    """
    changes = []
    for game in games:
        last: dict[int, int] = {}
        for position in game.positions:
            own = position.own.get(position.view)
            if own is not None:
                change = own - last.get(position.view, own)
                if change != 0:
                    changes.append(abs(change) / unit)
                last[position.view] = own
    return median(changes) if changes else 0.0


def _cross_entropy(expected: float, result: float) -> float:
    return -result * math.log(expected) - (1 - result) * math.log(1 - expected)
