"""The two ways of perft count the same: on a search stack, and as a host makes moves.

Owns the comparison over random games and scripts whose move words depend on each other.  A budget
of steps switches the search stack off.  See native/search/perft.c.
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

import forthvm
from benchmarks.games import FOLDER, GAMES
from forthvm.core.errors import PartialMoveTextError
from forthvm.game import Position, perft
from tests.engines.test_sampling import DEFAULTS, SLIDES, VARIANTS
from tests.kit.files import write
from tests.kit.messages import raises
from tests.kit.random_games import push_random_moves

HOST_WAY = forthvm.Budget(steps=10**15)
BUNDLED = ["breakthrough", "reversi-6x6", "tictactoe", "draughts", "splut", "chess-los-alamos"]
PARTIAL_MOVE = Path(__file__).parents[1] / "errors" / "partial-text.4th"
MAX_COUNT = 12_000  # of move sequences, estimated


def random_positions(position: Position, count: int) -> list[Position]:
    """Return positions of a random game."""
    choices = random.Random(5)
    found = []
    while len(found) < count and position.result is None:
        found.append(position.copy())
        push_random_moves(position, 4, choices)
    return found


def counts(position: Position) -> list[int]:
    """Return the counts of perft from depth 3 on, until they are too large."""
    found: list[int] = []
    for depth in (3, 4, 5):
        if len(position.legal_moves) ** depth > MAX_COUNT:
            break
        before = position.copy()
        found.append(perft(position, depth))
        assert position == before
        assert position.legal_moves.texts == before.legal_moves.texts
    return found


def check(path: Path | str, *, axiom: int | None = None, positions: int = 4) -> None:
    """Compare both ways in positions of the same random game."""
    both = [
        random_positions(forthvm.load(path, axiom=axiom, seed=1, budget=budget).start(), positions)
        for budget in (None, HOST_WAY)
    ]
    for one, other in zip(*both, strict=True):
        assert counts(one) == counts(other)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", BUNDLED)
def test_ways_agree_on_bundled_games(name: str) -> None:
    check(name)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", list(GAMES))
def test_ways_agree_on_benchmark_games(name: str) -> None:
    check(FOLDER / f"{name}.4th", axiom=GAMES[name].level, positions=3)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", list(VARIANTS))
def test_ways_agree_on_dependent_move_words(tmp_path: Path, name: str) -> None:
    script = write(tmp_path / "slides.4th", SLIDES % (DEFAULTS | VARIANTS[name][0]))
    check(script)


COUNTED_CALLS = """LOAD tictactoe.4th
VARIABLE calls
: OnIsGameOver ( -- result ) calls ++ calls @ 5 > IF #WinScore ELSE #UnknownScore ENDIF ;
"""


def test_ways_agree_on_a_hook_that_counts_its_calls(tmp_path: Path) -> None:
    """What OnIsGameOver leaves in memory is seen below its position, but not beside it."""
    script = write(tmp_path / "counted.4th", COUNTED_CALLS)
    shutil.copy(forthvm.load("tictactoe").path, tmp_path)
    position = forthvm.load(script).start()
    assert [perft(position, depth) for depth in (3, 4)] == [9 * 8 * 7, 9 * 8 * 7 * 6]
    check(script, positions=1)


def test_error_contains_the_text_of_the_partial_move() -> None:
    """Perft does not make the texts that no word reads; this message contains one."""
    position = forthvm.load(PARTIAL_MOVE, axiom=140).start()
    before = position.copy()
    with raises(PartialMoveTextError, "perft-ways.partial-move-without-partial"):
        perft(position, 2)
    assert position == before
