"""Compare shogi and minishogi with Fairy-Stockfish: moves, drops, mates and repetitions."""

from __future__ import annotations

import pytest

from tests.models.fairy import Peer, compare_random_games

LETTERS = {
    "pawn": "P",
    "lance": "L",
    "knight": "N",
    "silver": "S",
    "gold": "G",
    "bishop": "B",
    "rook": "R",
}
SHOGI = Peer(
    game="shogi",
    variant="shogi",
    players=("Black", "White"),
    occurrences=4,
    letters=LETTERS,
    promotion="+",
)
MINISHOGI = Peer(
    game="shogi-mini",
    variant="minishogi",
    players=("Black", "White"),
    occurrences=4,
    repetition="White",
    letters=LETTERS,
    promotion="+",
)


@pytest.mark.parametrize("peer", [SHOGI, MINISHOGI], ids=lambda peer: peer.game)
def test_random_games(peer: Peer) -> None:
    assert compare_random_games(peer, 250, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3, 4, 5])
@pytest.mark.parametrize("peer", [SHOGI, MINISHOGI], ids=lambda peer: peer.game)
def test_many_random_games(peer: Peer, seed: int) -> None:
    ends = compare_random_games(peer, 2500, seed=seed)
    assert any("four times" in text for text in ends)
    assert "checkmate" in ends or peer is SHOGI
