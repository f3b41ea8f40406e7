"""Probabilities of chance moves and returns of outcomes, in random games of all bundled games."""

from __future__ import annotations

import random

import pytest

import forthvm
from tests.kit.every_game import every_game
from tests.kit.random_games import push_random_moves
from tests.learn.positions import played


@every_game()
def test_probabilities_add_up_to_1(name: str) -> None:
    game = forthvm.load(name)
    for position in played(game, 11, plies=30, every=1):
        if position.is_chance and position.result is None:
            moves, probabilities = zip(*position.chances, strict=True)
            assert list(moves) == list(position.legal_moves)
            assert sum(probabilities) == pytest.approx(1)
            assert min(probabilities) > 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["tictactoe", "breakthrough", "ur", "splut-duel"])
def test_games_of_two_players_are_zero_sum(name: str) -> None:
    game = forthvm.load(name)
    for seed in range(5):
        position = game.start()
        position.seed(seed)
        push_random_moves(position, 3000, random.Random(seed))
        outcome = position.result
        returns = outcome.returns()
        assert outcome.players == game.contestants
        assert len(returns) == 2
        assert sum(returns) == 0
        assert (0.0 in returns) == outcome.draw
