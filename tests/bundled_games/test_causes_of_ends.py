"""Every end of a bundled game names its cause."""

from __future__ import annotations

import random

import pytest

import forthvm
from tests.kit.every_game import BUNDLED
from tests.kit.games import play
from tests.kit.random_games import push_random_moves

PLIES = 400
UNEXPLAINED = "by the rules of the script"


@pytest.mark.slow
@pytest.mark.parametrize("name", [entry.name for entry in BUNDLED])
def test_ends_of_random_games_have_a_cause(name: str) -> None:
    game = forthvm.load(name)
    for seed in range(3):
        position = push_random_moves(game.start(), PLIES, random.Random(seed))
        if (result := position.result) is not None:
            assert result.cause not in ("", UNEXPLAINED)
            assert result.reason.endswith(f": {result.cause}")


@pytest.mark.parametrize(
    ("name", "moves", "reason"),
    [
        ("tictactoe", "b2 a2 a3 c2 c1", "O has lost, X won: three in a row"),
        ("tictactoe", "b2 a1 a2 c2 a3 c1 b1 b3 c3", "draw: the board is full"),
    ],
)
def test_reasons(name: str, moves: str, reason: str) -> None:
    position = forthvm.load(name).start()
    play(position, *moves.split())
    assert position.result.reason == reason
