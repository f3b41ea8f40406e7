"""Compare xiangqi with Fairy-Stockfish: moves, mates, repetitions and draws."""

from __future__ import annotations

import pytest

from tests.models.fairy import Peer, compare_random_games

XIANGQI = Peer(
    game="xiangqi",
    variant="xiangqi",
    players=("Red", "Black"),
    occurrences=3,
    quiet_plies=120,
    attackers="rncp",
)


def test_random_games() -> None:
    assert compare_random_games(XIANGQI, 300, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3, 4, 5])
def test_many_random_games(seed: int) -> None:
    ends = compare_random_games(XIANGQI, 5000, seed=seed)
    assert {"checkmate", "the position has occurred three times"} <= set(ends)
