"""Counts the move sequences of the benchmark games in Python, independently of the scripts.

Owns the rules of each game in simple Python.  It does not use forthvm.  The counts that forthvm
must reach are in benchmarks/games/expected.py; tests compare both.
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.games.models import drops, movers, states
from benchmarks.games.models.rules import Model, State, perft

__all__ = ["MODELS", "Model", "State", "perft"]

MODELS: dict[str, Callable[[], Model]] = {
    "arrows-8x8": movers.arrows,
    "cloud-5x5": states.cloud,
    "crowd-12x20": movers.crowd,
    "empire-15x16": movers.empire,
    "fields-4x8": states.fields,
    "gates-5x8": states.gates,
    "hands-20x20": drops.hands,
    "influence-12x12": movers.influence,
    "liberty-13x13": drops.liberty,
    "mosaic-16x16": drops.mosaic,
    "partners-14x14": movers.partners,
    "pits-2x6": states.pits,
    "road-1x20": states.road,
    "rows-19x19": drops.rows,
    "sums-8x16": movers.sums,
    "towers-7x7": states.towers,
    "warden-9x9": movers.warden,
}
