"""Compare shogi and minishogi with Fairy-Stockfish: moves, drops, mates and repetitions."""

from __future__ import annotations

import pytest

import forthvm
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


@pytest.mark.slow
@pytest.mark.parametrize("peer", [SHOGI, MINISHOGI], ids=lambda peer: peer.game)
def test_random_games(peer: Peer) -> None:
    assert compare_random_games(peer, 250, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("peer", [SHOGI, MINISHOGI], ids=lambda peer: peer.game)
def test_many_random_games(peer: Peer) -> None:
    ends = compare_random_games(peer, 1500, seed=2)
    assert any("four times" in text for text in ends)
    assert "checkmate" in ends or peer is SHOGI


@pytest.mark.parametrize(
    ("name", "text", "move", "hand"),
    [
        ("shogi-mini", "4k/5/p4/P4/K4 b 2P 1", "Pxa3", "2P"),
        ("shogi", "8k/9/9/9/9/9/p8/P8/K8 b 18P 1", "Pxa3", "18P"),
    ],
)
def test_a_hand_does_not_overflow(name: str, text: str, move: str, hand: str) -> None:
    """A position that is set up may have more pawns than the game."""
    position = forthvm.Position.from_fen(forthvm.load(name), text)
    position.push(move)
    assert position.to_fen().split()[2] == hand
