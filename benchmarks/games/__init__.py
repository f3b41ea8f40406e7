"""Benchmark games with the shapes of scripts that authors wrote for the original engine.

Owns the list of games: their files, the level of the language, and the sizes of the runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

__all__ = ["FOLDER", "GAMES", "Sizes"]

FOLDER = Path(__file__).resolve().parent


class Sizes(NamedTuple):
    """The sizes of the runs of a game; the runs take about equally long in the JIT."""

    perft: int
    """The depth of perft."""
    playouts: int
    """The number of random games."""
    negamax: int
    """The depth of alpha-beta without features that save nodes."""
    axiom: int
    """The depth of the original's search."""
    level: int = 150
    """The version of the original for which the script is written."""


GAMES = {
    "arrows-8x8": Sizes(2, 20, 1, 1),
    "cloud-5x5": Sizes(2, 20, 2, 2),
    "crowd-12x20": Sizes(2, 20, 3, 2),
    "empire-15x16": Sizes(2, 20, 3, 2),
    "fields-4x8": Sizes(5, 100, 7, 8, level=140),
    "gates-5x8": Sizes(8, 20, 2, 4),
    "hands-20x20": Sizes(2, 2, 1, 1),
    "influence-12x12": Sizes(3, 20, 3, 3),
    "liberty-13x13": Sizes(2, 2, 2, 1),
    "mosaic-16x16": Sizes(3, 2, 2, 2),
    "partners-14x14": Sizes(3, 20, 4, 3, level=140),
    "pits-2x6": Sizes(7, 100, 8, 7),
    "road-1x20": Sizes(7, 20, 2, 7, level=140),
    "rows-19x19": Sizes(2, 5, 2, 1, level=140),
    "sums-8x16": Sizes(3, 10, 3, 3),
    "towers-7x7": Sizes(3, 10, 3, 3, level=140),
    "warden-9x9": Sizes(4, 20, 4, 3),
}
