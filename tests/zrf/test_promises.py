"""Tests what the library of compiled rule files promises to searches.

Blocks do not depend on each other, and judging goals changes nothing on which moves depend: so
searches find what they find with complete lists.
"""

from __future__ import annotations

import math
from pathlib import Path
from random import Random

import pytest

from forthvm.core.records import ListMode
from forthvm.engines import get, random_playouts
from forthvm.game import Position, load, perft
from tests.engines.list_modes import list_mode
from tests.kit.random_games import push_random_moves

FOLDER = Path(__file__).parent
FILES = sorted(
    path for kind in ("games", "idioms", "shapes") for path in FOLDER.glob(f"{kind}/*.zrf")
)
DEPTH = 3  # perft of smaller depths makes no assumptions
PLAYOUTS = 100
PLIES = 12


def searched(position: Position) -> tuple[str, int | None, int]:
    """Return the move, score and number of nodes of a search."""
    found = get(f"negamax:depth={DEPTH},nodes=2000").play(position)
    return str(found.move), found.score, found.nodes


def rewards(position: Position, mode: ListMode, count: int, seed: int) -> list[float]:
    """Return the players' mean rewards in random games."""
    with list_mode(position, mode):
        return list(random_playouts(position, count, seed=seed, plies=PLIES).values())


def farthest(position: Position, count: int, seed: int) -> float:
    """Return the greatest difference of a reward from that with complete lists.

    The unit is the greatest standard deviation that the difference can have.
    """
    modes = ListMode.COMPLETE, ListMode.PROMISED
    found = [rewards(position, mode, count, seed) for mode in modes]
    deviation = 0.5 * math.sqrt(2 / count)
    return (
        max((abs(one - other) for one, other in zip(*found, strict=True)), default=0.0) / deviation
    )


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_searches_find_the_same_with_complete_lists(path: Path) -> None:
    rng = Random(path.stem)
    position = load(path, seed=3).start()
    push_random_moves(position, rng.choice((0, 3, 8)), rng)
    if position.result is not None or not 0 < len(position.legal_moves) < 60:
        pytest.skip("the random game is over, or has too many moves for perft")
    with list_mode(position, ListMode.COMPLETE):
        moves, choice = perft(position, DEPTH), searched(position)
    assert (perft(position, DEPTH), searched(position)) == (moves, choice)
    if farthest(position, PLAYOUTS, 1) > 3:
        assert farthest(position, 20 * PLAYOUTS, 2) < 5
