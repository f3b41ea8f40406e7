"""Self-play and random playouts in games with chance or other unusual rules.

test_features.py tests self-play in ordinary games.
"""

from __future__ import annotations

import json
from functools import cache

import pytest

import forthvm
from forthvm.engines import EngineError
from forthvm.engines.position_arrays import REWARDS_PER_ROW, random_playouts
from forthvm.engines.selfplay import SelfPlay
from forthvm.engines.selfplay_games import PlayedGame
from forthvm.game import Game
from tests.kit.cases import each_case
from tests.kit.games import loaded
from tests.kit.messages import raises


@cache
def play_games(
    game: Game, batch: int, games: int, action_space: int = 24, threads: int | None = None
) -> dict[int, PlayedGame]:
    """Play games whose evaluations depend only on the leaf; return them by number."""
    settings = {"playouts": 4, "max_plies": 8, "threads": threads}
    play = SelfPlay(game, batch=batch, games=games, space=action_space, **settings)
    while (leaves := play.leaves()) is not None:
        rewards, priors = [], []
        for at, (moves, mover) in enumerate(zip(leaves.moves, leaves.movers, strict=True)):
            board = leaves.boards[at * play.cells : (at + 1) * play.cells].tolist()
            # An arbitrary number that depends on the leaf; arbitrary evaluations follow from it.
            mix = sum((index + 3) * cell for index, cell in enumerate(board)) + mover
            rewards.append([(mix * (n + 7)) % 101 / 101 for n in range(REWARDS_PER_ROW)])
            weights = [1 + (mix * (k + 11)) % 13 for k in range(moves)]
            leaf_priors = [weight / sum(weights) for weight in weights]
            priors.append(leaf_priors + [0.0] * (action_space - moves))
        play.submit(rewards, priors)
    return {game.number: game for game in play.finished}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["three-dice", "outside"])
def test_batches_of_1_and_256_play_equal_games(name: str) -> None:
    one_at_a_time = play_games(loaded(name), 1, 6)
    parallel = play_games(loaded(name), 256, 256)
    assert len(parallel) == 256
    assert one_at_a_time == {number: parallel[number] for number in range(6)}
    # Chance outcomes and random moves differ from game to game.
    assert len({game.moves for game in parallel.values()}) > 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["three-dice", "outside", "tictactoe"])
def test_threads_play_equal_games(name: str) -> None:
    one_thread = play_games(loaded(name), 24, 60, threads=1)
    assert len(one_thread) == 60
    assert play_games(loaded(name), 24, 60, threads=3) == one_thread


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.* has no action number")
def test_a_move_without_a_number_has_no_visits() -> None:
    game = forthvm.load("chess-los-alamos")
    document = json.loads(game.actions.to_json())
    document["forms"]["move"]["squares"] = 35  # f6 is missing
    game.actions.use_json(json.dumps(document | {"spare": 0}))
    play = SelfPlay(game, batch=4, games=4, playouts=30, max_plies=12)
    while (leaves := play.leaves()) is not None:
        count = len(leaves.moves)
        play.submit([[0.5] * REWARDS_PER_ROW] * count, [[0.01] * play.space] * count)
    numbers = [pair for played in play.finished
               for row in zip(played.actions, played.visits, strict=True)
               for pair in zip(*row, strict=True)]  # fmt: skip
    assert {visits for action, visits in numbers if action < 0} == {0}
    assert game.actions.unnumbered > 0


@pytest.mark.slow
def test_chance_outcomes_are_fair() -> None:
    # The first move of three-dice is a throw; in 256 games, one and two are about equally frequent.
    throws = [game.moves[0] for game in play_games(loaded("three-dice"), 256, 256).values()]
    assert 90 < sum(throws) < 166  # five standard deviations


def test_more_moves_than_actions_raise() -> None:
    with raises(EngineError, "selfplay.moves-do-not-fit"):
        play_games(loaded("two-dice"), 4, 4, action_space=1)
    play = SelfPlay(loaded("two-dice"), batch=2, games=2, space=1)
    for _ in range(2):
        with raises(EngineError, "selfplay.moves-do-not-fit"):
            play.leaves()


@each_case("option", ["batch", "games", "space", "playouts", "max_plies"])
def test_counts_of_zero_are_refused(option: str) -> None:
    numbers = {"batch": 1, "games": 1, "space": 9, "playouts": 1, option: 0}
    with pytest.raises(ValueError, match=f"SelfPlay: `{option}`: expected an integer from 1 to"):
        SelfPlay(loaded("tictactoe"), **numbers)


def test_random_playouts_of_tictactoe() -> None:
    # Known values: X wins 0.5850 of random games, O 0.2881, 0.1270 are draws.
    rewards = random_playouts(loaded("tictactoe").start(), 20_000, seed=1)
    assert rewards["X"] == pytest.approx(0.5850 + 0.1270 / 2, abs=0.012)  # four standard errors
    assert rewards["O"] == pytest.approx(0.2881 + 0.1270 / 2, abs=0.012)
    assert rewards["X"] + rewards["O"] == pytest.approx(1)


@each_case("name", ["three-dice", "exact-throw", "vast", "outside"])
def test_playouts_of_unusual_games_do_not_change_the_position(name: str) -> None:
    position = loaded(name).start()
    before = position.copy()
    rewards = random_playouts(position, 50, seed=2, plies=60)
    assert set(rewards) == set(position.game.contestants)
    assert all(0 <= mean <= 1 for mean in rewards.values())
    assert rewards == random_playouts(position, 50, seed=2, plies=60)
    assert position == before


def test_roots_are_the_positions_of_the_games() -> None:
    game = loaded("tictactoe")
    play = SelfPlay(game, batch=3, games=5, playouts=6, seed=2)
    roots = []
    while (leaves := play.leaves()) is not None:
        assert leaves == play.leaves()
        count = len(leaves.moves)
        for at in range(count):
            if leaves.roots[at]:
                roots.append(tuple(leaves.boards[at * play.cells : (at + 1) * play.cells]))
        play.submit([[0.5] * REWARDS_PER_ROW] * count, [[1 / 9] * 9] * count)
    boards = [board for played in play.finished for board in played.boards]
    assert sorted(roots) == sorted(boards)
    # Each search made as many visits as playouts; the first visit is that of the root itself.
    assert {sum(visits) for played in play.finished for visits in played.visits} == {5}
