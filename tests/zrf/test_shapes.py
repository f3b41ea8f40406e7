"""Rule files in shapes that are hard to search, compiled and on the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.zrf.lockstep import play_together

FILES = sorted((Path(__file__).parent / "shapes").glob("*.zrf"))
PLIES = {"shogi-19": 1}
"""Plies of files that the model plays slowly; of others, 8."""
SLOW = {"drops", "hexagons", "shogi-19", "two-kings"}


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.slow] if path.stem in SLOW else [], id=path.stem)
        for path in FILES
    ],
)
def test_random_games(path: Path) -> None:
    play_together(path, plies=PLIES.get(path.stem, 8), seed=1)
