"""The expected results of the benchmark games, at the sizes of `benchmarks.games.GAMES`.

Owns the numbers.  The counts of perft are those of `models`, which knows the rules but not forthvm.
Numbers of nodes, scores and moves were recorded in the interpreter with all checks, and are equal
in all tiers; tests compare the scores with plain minimax.  Changes of forthvm must not change them.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["EXPECTED", "Expected"]


class Expected(NamedTuple):
    """The results of a game."""

    perft: tuple[int, ...]
    """The number of move sequences of each length, from 1."""
    negamax: tuple[int, int]
    """Nodes and score of alpha-beta without features that save nodes."""
    axiom: tuple[int, int, str]
    """Nodes, score and move of the original's search."""


EXPECTED = {
    "arrows-8x8": Expected((1232, 1331198), (1232, 5), (1233, 320, "queen a3 - b4 Fire arrow b7")),
    "cloud-5x5": Expected(
        (300, 90000), (1199, 0), (902, 1, "Wave stone a5 x a5 Wave stone b5 x b5")
    ),
    "crowd-12x20": Expected((164, 26896), (28423, 1), (657, 1, "Man b4 - b5")),
    "empire-15x16": Expected((185, 33495), (47530, 16), (912, 128, "regent l3 x l13")),
    "fields-4x8": Expected((12, 142, 1302, 10622, 75312), (85461, 18), (52313, 896, "p2 h1 x h1")),
    "gates-5x8": Expected(
        (7, 31, 115, 139, 871, 3487, 13735, 23287),
        (28194, 0),
        (6568, 192, "man-d a5 - b5 Red lock lock-4 Red lock moved-1"),
    ),
    "hands-20x20": Expected((856, 729609), (856, 8), (857, 512, "rook d2 x d19")),
    "influence-12x12": Expected((33, 1089, 39736), (3722, 37), (2288, 2368, "man b3 - a4")),
    "liberty-13x13": Expected((157, 24492), (18205, -2), (158, -64, "Black stone a13")),
    "mosaic-16x16": Expected((16, 320, 7344), (126, -1), (128, -64, "North beryl h10")),
    "partners-14x14": Expected((44, 1907, 73941), (17031, 0), (2115, 192, "Bishop f1 x n9")),
    "pits-2x6": Expected(
        (6, 36, 190, 1014, 5219, 27332, 139733),
        (10303, 0),
        (3601, -1, "= p0 on a1 = p5 on b1 c1 d1 e1"),
    ),
    "road-1x20": Expected(
        (4, 16, 32, 128, 512, 1024, 4096), (1428, -1), (1185, -1, "White Man a1 x die-1")
    ),
    "rows-19x19": Expected((357, 127092), (2402, 0), (358, 576, "Black Stone h12")),
    "sums-8x16": Expected((32, 1024, 33226), (4909, -60), (2019, -3840, "r2 c5 - d6")),
    "towers-7x7": Expected((53, 2764, 149640), (10661, 1), (10664, 64, "White Man a35")),
    "warden-9x9": Expected((29, 839, 20778, 511701), (28318, 0), (1409, 256, "tower b2 - b9")),
}
