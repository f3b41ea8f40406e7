"""Copies and pickles of environments continue like the original, which they do not change."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import forthvm

if TYPE_CHECKING:
    from collections.abc import Callable

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")
from forthvm.learn.adapters import gymnasium as adapter
from forthvm.learn.adapters import pettingzoo

pytestmark = pytest.mark.extras

COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda environment: pickle.loads(pickle.dumps(environment)),
}
every_copy = pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)


def continued(env: Any, seed: int, steps: int) -> list[Any]:  # noqa: ANN401 - of PettingZoo
    """Play on at random; return all observations and rewards."""
    chooser = np.random.default_rng(seed)
    seen = []
    for _ in range(steps):
        if not env.agents:
            break
        observation, reward, *_, info = env.last()
        seen.append((env.agent_selection, observation.tobytes(), reward))
        legal = np.flatnonzero(info["action_mask"])
        env.step(int(chooser.choice(legal)) if len(legal) else None)
    return seen


@every_copy
@pytest.mark.parametrize("name", ["tictactoe", pytest.param("ur", marks=pytest.mark.slow)])
@pytest.mark.parametrize("make", [pettingzoo.raw_env, pettingzoo.env])
def test_agents(name: str, make: Callable[..., Any], copied: Callable[[Any], Any]) -> None:
    """Games with dice, and observations of earlier positions."""
    env = make(name, history=3)
    copied(env).reset(seed=1)
    env.reset(seed=3)
    continued(env, seed=1, steps=4)
    board = str(env.unwrapped.episode.position)
    other = copied(env)
    seen = continued(other, seed=2, steps=12)
    assert str(env.unwrapped.episode.position) == board
    assert continued(env, seed=2, steps=12) == seen


@every_copy
@pytest.mark.parametrize("opponent", ["random", "negamax:depth=1", "mcts:playouts=5"])
def test_opponents(opponent: str, copied: Callable[[Any], Any]) -> None:
    """Engines that cannot be copied are created anew."""
    env = adapter.BoardGame("tictactoe", opponent=opponent)
    env.reset(seed=4)
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    other = copied(env)
    action = int(np.flatnonzero(env.action_masks())[-1])
    here, there = env.step(action), other.step(action)
    assert np.array_equal(here[0], there[0])
    assert here[1:4] == there[1:4]


@every_copy
def test_observers(copied: Callable[[Any], Any]) -> None:
    game = forthvm.load("tictactoe")
    made = forthvm.observer(game, history=2, player="O")
    other = copied(made)
    assert (other.spec, other.player) == (made.spec, "O")
    position = game.start()
    assert np.array_equal(other.observe(position), made.observe(position))


@pytest.mark.slow
def test_vector_wrappers_of_supersuit() -> None:
    supersuit = pytest.importorskip("supersuit")
    env = pettingzoo.parallel_env("tictactoe", action_mask="info")
    envs = supersuit.concat_vec_envs_v1(
        supersuit.pettingzoo_env_to_vec_env_v1(env), 3, base_class="gymnasium"
    )
    observations, infos = envs.reset(seed=1)
    assert len(observations) == 6
    assert len(envs.step(np.array([info["action_mask"].argmax() for info in infos]))) == 5
