"""What the scores of a game's own evaluation mean, as its games show.

Owns their unit and their usual changes, from which training knows how far to trust what it learns.
"""

from __future__ import annotations

import math
import random
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
_MAX_BIAS, _BIAS_STEP = 8.0, 0.1
"""The maximum magnitude of a fitted bias, and its accuracy."""
_MAX_PAIRS = 2048
"""The maximum number of evaluations to which a unit is fitted; they are drawn at random."""


def fitted_unit(games: Sequence[PlayedGame]) -> tuple[float, float]:
    """Return how the game's own evaluation predicts results best.

    The expected score is the logistic function of `own / unit + bias`.  The bias is needed with
    more than two players, most of whom lose.  The fit is the one with the least cross entropy.

    Returns:
        The unit, MAX_UNIT if the evaluation does not predict the results, and the bias.  Without
        results the unit is the median of the magnitudes.
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
        return median([abs(own) for own in values if own] or [MAX_UNIT]), 0.0
    pairs = random.Random(1).sample(pairs, min(len(pairs), _MAX_PAIRS))
    steps = 2 * round(math.log2(MAX_UNIT))
    units = [2.0 ** (step / 2) for step in range(steps, -1, -1)]
    fits = ((unit, _fitted_bias(pairs, unit)) for unit in units)
    return min(fits, key=lambda fit: round(_loss(pairs, fit)))  # smaller differences are chance


def _fitted_bias(pairs: Sequence[tuple[int, float]], unit: float) -> float:
    """Return the bias with which the mean of the expected scores is that of the results."""
    mean = sum(result for _, result in pairs)
    low, high = -_MAX_BIAS, _MAX_BIAS
    while high - low > _BIAS_STEP:
        bias = (low + high) / 2
        if sum(expected_score(own / unit + bias) for own, _ in pairs) < mean:
            low = bias
        else:
            high = bias
    return (low + high) / 2


def _loss(pairs: Sequence[tuple[int, float]], fit: tuple[float, float]) -> float:
    unit, bias = fit
    return sum(_cross_entropy(expected_score(own / unit + bias), result) for own, result in pairs)


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
