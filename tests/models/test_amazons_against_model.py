"""Compare the Game of the Amazons with the model, and both with published counts."""

from __future__ import annotations

import pytest

import forthvm
from tests.models import amazons, placements


@pytest.mark.slow
@pytest.mark.parametrize(
    "positions",
    [placements.QUICK, pytest.param(placements.THOROUGH, marks=pytest.mark.slow)],
)
def test_random_games(positions: int) -> None:
    results = placements.play_random_games(
        forthvm.load("amazons"), lambda: amazons.START, positions
    )
    assert len(results) > 1 or positions < placements.THOROUGH


@pytest.mark.parametrize(
    ("depth", "count"), [(1, 2176), pytest.param(2, 4307152, marks=pytest.mark.slow)]
)
def test_published_numbers_of_turns(depth: int, count: int) -> None:
    position = forthvm.load("amazons").start()
    assert forthvm.perft(position, 2 * depth) == count
    if depth == 1:
        assert amazons.turns(amazons.START, depth) == count
