"""Compare makruk with Fairy-Stockfish: moves, mates, counts and draws."""

from __future__ import annotations

import pytest

from tests.models.fairy import Peer, compare_random_games

MAKRUK = Peer(
    game="makruk",
    variant="makruk",
    players=("White", "Black"),
    occurrences=3,
    perpetual_check=False,
    counts=True,
    attackers="rnsmp",
    promotion="m",
)


@pytest.mark.slow
def test_random_games() -> None:
    assert compare_random_games(MAKRUK, 300, seed=1)


@pytest.mark.slow
def test_many_random_games() -> None:
    ends = compare_random_games(MAKRUK, 1500, seed=2)
    assert "the count has ended" in ends
