"""The checks of Gymnasium, and what they do not test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pytest

import forthvm
from forthvm.core.errors import ForthVMError
from forthvm.engines.simple import FirstEngine
from forthvm.learn.adapters.episode import AdapterError

pytest.importorskip("gymnasium")
import gymnasium
from gymnasium.utils.env_checker import check_env

from forthvm.learn.adapters.gymnasium import BoardGame, environment_name
from tests.kit.every_game import every_game
from tests.kit.messages import raises

pytestmark = pytest.mark.extras

GAMES: list[Any] = [
    ("Breakthrough", {"opponent": "mcts:playouts=10", "seat": 1}),
    pytest.param(("Ur", {"max_plies": 300}), marks=pytest.mark.slow),
    pytest.param(("YoninShogi", {"max_plies": 90, "seat": "random"}), marks=pytest.mark.slow),
    pytest.param(("Chess", {"max_plies": 60, "history": 2}), marks=pytest.mark.slow),
]


def make(name: str, **options: Any) -> BoardGame:  # noqa: ANN401 - as for gymnasium.make
    env = gymnasium.make(f"forthvm/{name}-v0", **options).unwrapped
    assert isinstance(env, BoardGame)
    return env


def play(env: BoardGame, seed: int) -> tuple[list[int], float]:
    """Play a game with random moves; return the actions and the reward."""
    _, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    actions = []
    while True:
        actions.append(int(env.action_space.sample(info["action_mask"])))
        _, reward, over, truncated, info = env.step(actions[-1])
        if over or truncated:
            return actions, reward
        assert reward == 0


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game[0])
def test_checks_of_gymnasium(
    game: tuple[str, dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Warnings are errors in all tests."""
    name, options = game
    check_env(make(name, **options))
    assert "to move" in capsys.readouterr().out  # the render mode human


@pytest.mark.sampled(5)
@every_game(variants=False)
def test_checks_of_every_game(name: str) -> None:
    check_env(gymnasium.make(environment_name(name), max_plies=30).unwrapped)


def test_checks_of_a_game_that_randomizes(drawn_start: Path) -> None:
    check_env(make("Game", game=drawn_start))


@pytest.mark.parametrize(
    "opponent", ["random", "mcts:playouts=5", "mixed:engine=negamax,random=0.5,depth=1"]
)
def test_a_seed_repeats_a_game(opponent: str) -> None:
    first = make("Tictactoe", opponent=opponent, seat="random")
    second = make("Tictactoe", opponent=opponent, seat="random")
    games = [play(first, seed) for seed in range(4)]
    assert games == [play(second, seed) for seed in range(4)]


def test_games_differ_without_a_seed() -> None:
    env = make("Tictactoe", seat=1)
    env.reset(seed=1)
    assert len({env.reset()[0].tobytes() for _ in range(20)}) > 3


def test_rewards_are_those_of_the_seat() -> None:
    env = make("Tictactoe", opponent=FirstEngine(), seat="O")
    rewards = {play(env, seed)[1] for seed in range(12)}
    assert rewards >= {1.0, -1.0}
    assert env.player == "O"
    outcome = env.episode.position.result
    assert outcome is not None


def test_engines_by_player() -> None:
    env = BoardGame("breakthrough", opponent={"White": "first"}, seat="Black", max_plies=30)
    env.reset(seed=1)
    assert env.episode.position.history[0].text == str(env.episode.game.start().legal_moves[0])
    with raises(AdapterError, "gymnasium.engine-for-the-own-seat"):
        BoardGame("tictactoe", opponent={"O": "random"}, seat="random")


def test_an_opponent_can_resign() -> None:
    env = BoardGame("tictactoe", opponent="tests.engines.samples:Resigns", seat=0)
    for seed in range(2):
        _, info = env.reset(seed=seed)
        _, reward, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        assert (reward, terminated, truncated) == (1, True, False)
        assert not info["action_mask"].any()
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(0)
    env.close()


def test_illegal_actions_lose() -> None:
    env = make("Tictactoe")
    env.reset(seed=2)
    legal = env.action_masks()
    env.step(int(legal.argmax()))
    _, reward, over, truncated, info = env.step(int(legal.argmax()))
    assert (reward, over, truncated) == (-1.0, True, False)
    assert info["illegal_action"] == 0
    assert not env.action_masks().any()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    for action in (-1, 9):
        env.reset(seed=2)
        assert env.step(action)[1:4] == (-1.0, True, False)


def test_chance_is_played() -> None:
    env = make("Ur", max_plies=40)
    env.reset(seed=3)
    assert env.episode.position.turn == env.player == "White"
    while env.episode.mover:
        assert env.episode.position.turn == "White"
        env.step(int(env.action_masks().argmax()))
    assert env.episode.truncated
    assert env.episode.position.ply == 40


def test_a_game_of_one_player(guess: Path) -> None:
    env = BoardGame(guess)
    rewards = [play(env, seed)[1] for seed in range(60)]
    assert set(rewards) == {1.0, -1.0}
    assert 5 < rewards.count(1.0) < 35


def test_hidden_pieces_are_not_observed(pennies: Path) -> None:
    env = BoardGame(pennies, seat="Finder")
    observations = {env.reset(seed=seed)[0].tobytes() for seed in range(10)}
    assert len(observations) == 1


def test_vector_of_environments() -> None:
    envs = gymnasium.make_vec("forthvm/Tictactoe-v0", num_envs=3, vectorization_mode="sync")
    observations, infos = envs.reset(seed=1)
    assert observations.shape == (3, *envs.single_observation_space.shape)
    assert infos["action_mask"].shape == (3, 9)
    assert numpy.isfinite(observations).all()
    envs.close()


def test_every_bundled_game_is_registered() -> None:
    names = {environment_name(listed.name) for listed in forthvm.games()}
    assert len(names) == len(forthvm.games())
    assert names < set(gymnasium.registry)
    env = gymnasium.make("forthvm/Game-v0", game="tictactoe")
    assert env.action_space.n == 9


def test_arguments_are_checked() -> None:
    with raises(AdapterError, "gymnasium.unknown-seat"):
        BoardGame("tictactoe", seat="Z")
    with raises(AdapterError, "gymnasium.seat"):
        BoardGame("tictactoe", seat=2)
    with raises(ForthVMError, "gymnasium.unknown-engine"):
        BoardGame("tictactoe", opponent="wizard")


def test_an_environment_without_a_game_asks_for_reset() -> None:
    env = BoardGame("tictactoe")
    for use in (lambda: env.step(0), env.render, env.action_masks):
        with raises(AdapterError, "gymnasium.not-reset"):
            use()
    env.reset()
    env.step(0)
    env.close()
    with raises(AdapterError, "gymnasium.not-reset"):
        env.step(1)
    assert env.reset()[1]["action_mask"].sum() == 9
