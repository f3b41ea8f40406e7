"""Statistics of matches: estimates with their intervals."""

from __future__ import annotations

from .formulas import (
    GAME_SCORES,
    PAIR_SCORES,
    Distribution,
    EloEstimate,
    Interval,
    Ratio,
    Sample,
    distribution,
    elo_difference,
    elo_of_score,
    likelihood_of_superiority,
    mean_interval,
    ratio,
    score_of_elo,
    wilson_interval,
)
from .sprt import Sprt, SprtSettings

__all__ = [
    "GAME_SCORES",
    "PAIR_SCORES",
    "Distribution",
    "EloEstimate",
    "Interval",
    "Ratio",
    "Sample",
    "Sprt",
    "SprtSettings",
    "distribution",
    "elo_difference",
    "elo_of_score",
    "likelihood_of_superiority",
    "mean_interval",
    "ratio",
    "score_of_elo",
    "wilson_interval",
]
