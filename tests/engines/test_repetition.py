"""Repetition on the way from the root counts as a draw, in the native search as in the plain one.

The scripts shuttle: in two-and-one.4th a round is three turns, so the root comes back after six;
in outside.4th a plain variable has to come back as well; turn-number.4th looks at the number of
the turn, which never comes back, but does not make another position of it.
"""

from __future__ import annotations

import pytest
from reference import Rules
from test_odd_games import check, positions


@pytest.mark.parametrize(
    ("name", "depth", "seed", "wanted"),
    [
        ("two-and-one", 6, 3, 3),
        ("outside", 5, 1, 6),
        ("outside", 6, 3, 6),
        ("turn-number", 4, 3, 6),
    ],
)
def test_equals_minimax_with_repetition(name: str, depth: int, seed: int, wanted: int) -> None:
    for position in positions(name, seed, wanted):
        known: dict[Rules, list[int]] = {}
        for setting in ("repetition", "all"):
            check(position, depth, setting, known)
