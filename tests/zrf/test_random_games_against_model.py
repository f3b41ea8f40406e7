"""Random small games, compiled and on the model: equal moves, boards, results in random play.

`FORTHVM_ZRF_SEEDS=FROM-TO` sets the seeds of the slow run (default 10-110).  A failing seed is
printed with the smallest rule file that still shows a difference.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from forthvm import ForthVMError
from tests.models import zrf
from tests.models.zrf.random_games import FEATURES, random_game
from tests.models.zrf.shrink import shrunk
from tests.zrf.lockstep import play_together

PLIES = 40
SECONDS = 20.0  # for making a failing file smaller
FIRST, LAST = (int(n) for n in os.environ.get("FORTHVM_ZRF_SEEDS", "10-110").split("-"))
NOT_COMPARED = frozenset(
    """attacks checkmated copies maximal priorities random-player recycle
    three-players""".split()  # noqa: SIM905 - too long with a line for each
)
"""Features that compiled games lack or that are known to differ."""


def difference(text: str, folder: Path, seed: int) -> str:
    """What differs in random play; "" for nothing."""
    if zrf.load_text(text).start().result is not None:
        return ""  # there is nothing to play
    path = folder / "random.zrf"
    path.write_text(text)
    try:
        play_together(path, plies=PLIES, seed=seed)
    except AssertionError as error:
        return str(error)
    return ""


def compare(seed: int, folder: Path) -> None:
    text = random_game(seed, FEATURES - NOT_COMPARED)
    if zrf.load_text(text).start().result is not None:
        pytest.skip(
            "no player can move: the contract does not say what happens before the first move"
        )
    try:
        found = difference(text, folder, seed)
    except ForthVMError as error:
        if "not supported yet" not in str(error):
            raise
        pytest.skip(str(error))
    if not found:
        return
    end = time.monotonic() + SECONDS

    def fails(smaller: str) -> bool:
        try:
            return time.monotonic() < end and bool(difference(smaller, folder, seed))
        except (ForthVMError, ValueError, LookupError):
            return False

    small = shrunk(text, fails)
    pytest.fail(f"seed {seed}: {found}\n{small}\n{difference(small, folder, seed)}")


@pytest.mark.parametrize("seed", range(10))
def test_random_game(seed: int, tmp_path: Path) -> None:
    compare(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(FIRST, LAST))
def test_more_random_games(seed: int, tmp_path: Path) -> None:
    compare(seed, tmp_path)
