"""Actions of all bundled games, golden games, games of the benchmarks and rule files.

FORTHVM_ACTION_POSITIONS sets the number of random positions of each game that must contain no move
without a number; 500 make 58,000 positions, and take about ten minutes.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

import forthvm
from forthvm.game import Game
from tests.kit.every_game import OTHER_GAMES, every_game
from tests.kit.random_games import random_game

POSITIONS = int(os.environ.get("FORTHVM_ACTION_POSITIONS", "0"))
ROWS = 25


def check_numbers(game: Game, games: int, plies: int) -> None:
    """Check that equal numbers mean equal moves, in positions that were not explored."""
    chooser = random.Random(99)
    for _ in range(games):
        position = game.start()
        position.seed(chooser.randrange(2**31))
        for reached in random_game(position, plies, chooser):
            if reached.result is None and not reached.is_stuck:
                check_position(reached)


def check_position(position: forthvm.Position) -> None:
    """Check that all moves have numbers, which are equal for equal moves only."""
    moves = position.legal_moves
    numbers = moves.actions.tolist()
    first = dict(zip(reversed(numbers), reversed(moves), strict=True))
    for number, move in zip(numbers, moves, strict=True):
        other = first[number]
        assert other is move or (other.changes, other.type) == (move.changes, move.type)
    legal = position.legal_actions.tolist()
    assert legal == list(dict.fromkeys(numbers))
    assert min(legal) >= 0
    assert max(legal) < len(position.game.actions)
    assert position.move_of(legal[-1]) == first[legal[-1]]
    assert position.game.actions.text(legal[-1])


def check_random_positions(game: Game, count: int) -> None:
    """Check that random games contain no moves without a number."""
    if not game.contestants:  # chance players make all moves
        return
    with forthvm.vector(game, ROWS, seed=9, max_plies=1000, threads=1) as envs:
        for _ in range(count // ROWS):
            envs.step(envs.sample())
    assert game.actions.unnumbered == 0


@every_game()
def test_bundled_games(name: str) -> None:
    game = forthvm.load(name)
    game.actions.renumber(games=6, plies=60)
    check_numbers(game, games=3, plies=30)


@pytest.mark.slow
@pytest.mark.parametrize("path", OTHER_GAMES, ids=lambda path: path.name)
def test_other_games(path: Path) -> None:
    game = forthvm.load(path)
    check_numbers(game, games=3, plies=40)
    pytest.importorskip("numpy")
    check_random_positions(game, POSITIONS or 100)


@pytest.mark.slow
@every_game()
def test_random_positions_of_bundled_games(name: str) -> None:
    pytest.importorskip("numpy")
    check_random_positions(forthvm.load(name), POSITIONS or 100)
