"""Random small games, compiled and on the model: equal moves, boards, results in random play.

The slow tests make more than 25,000 plies.  `FORTHVM_ZRF_SEEDS=FROM-TO` sets other seeds.  A
failing seed is printed with the smallest rule file that still shows a difference.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from forthvm import ForthVMError
from tests.models.zrf.random_games import random_game
from tests.models.zrf.shrink import shrunk
from tests.zrf.lockstep import play_together

PLIES = 40
SECONDS = 20.0  # for making a failing file smaller
FIRST, LAST = (int(n) for n in os.environ.get("FORTHVM_ZRF_SEEDS", "10-710").split("-"))
SEEDS_OF_A_TEST = 50


def difference(text: str, folder: Path, seed: int) -> str:
    """What differs in random play; "" for nothing."""
    path = folder / "random.zrf"
    path.write_text(text)
    try:
        play_together(path, plies=PLIES, seed=seed)
    except AssertionError as error:
        return str(error)
    return ""


def compare(seed: int, folder: Path) -> None:
    text = random_game(seed)
    found = difference(text, folder, seed)
    if not found:
        return
    end = time.monotonic() + SECONDS
    kind = found.split()[0]  # moves, board, result or player

    def fails(smaller: str) -> bool:
        if time.monotonic() > end or "turn-order" not in smaller:
            return False
        try:
            return difference(smaller, folder, seed).startswith(kind)
        except (ForthVMError, ValueError, LookupError):
            return False

    small = shrunk(text, fails)
    pytest.fail(f"seed {seed}: {found}\n{small}\n{difference(small, folder, seed)}")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_random_game(seed: int, tmp_path: Path) -> None:
    compare(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(FIRST, LAST, SEEDS_OF_A_TEST))
def test_more_random_games(first: int, tmp_path: Path) -> None:
    for seed in range(first, min(first + SEEDS_OF_A_TEST, LAST)):
        compare(seed, tmp_path)
