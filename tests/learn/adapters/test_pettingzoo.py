"""The suites of PettingZoo, and what they do not test."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy
import pytest

import forthvm
from forthvm.core.errors import IllegalMoveError
from forthvm.learn.adapters.episode import AdapterError

pytest.importorskip("pettingzoo")
import pettingzoo
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

from forthvm.learn.adapters import pettingzoo as adapter
from tests.kit.every_game import every_game
from tests.kit.games import loaded, play
from tests.kit.messages import raises

pytestmark = pytest.mark.extras

CYCLES = 8


@pytest.mark.sampled(4)
@every_game(variants=False)
def test_api(name: str) -> None:
    """Warnings are errors in all tests."""
    api_test(adapter.env(name), CYCLES)
    api_test(adapter.raw_env(name, max_plies=9), CYCLES)


@pytest.mark.sampled(3)
@every_game(variants=False)
def test_seeds(name: str) -> None:
    seed_test(lambda: adapter.env(name), CYCLES)


def test_games_that_randomize(drawn_start: Path) -> None:
    api_test(adapter.raw_env(drawn_start), CYCLES)
    seed_test(lambda: adapter.env(drawn_start), CYCLES)
    parallel_api_test(adapter.parallel_env(drawn_start), 4 * CYCLES)


@pytest.mark.sampled(2)
@every_game(variants=False)
def test_parallel_interface(name: str) -> None:
    parallel_api_test(adapter.parallel_env(name, max_plies=30), 4 * CYCLES)


def test_parallel_seeds() -> None:
    """The suite ignores masks, so the game is one in which all actions of a step are legal."""

    class AnyAction(adapter.ParallelBoardGame):
        def step(self, actions: dict[str, int]) -> Any:  # noqa: ANN401 - a long tuple
            legal = self.episode.position.legal_actions
            return super().step({agent: legal[at % len(legal)] for agent, at in actions.items()})

    parallel_seed_test(lambda: AnyAction("tictactoe"), CYCLES)


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(
        lambda render_mode: adapter.env("tictactoe", render_mode=render_mode),
        custom_tests={"svg": lambda picture: picture.startswith("<svg")},
    )
    assert "X to move" in capsys.readouterr().out


def test_pixels() -> None:
    """Notes below the board do not change the size."""
    pytest.importorskip("resvg_py")
    env = adapter.raw_env("tictactoe", render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    env.step(4)
    after = env.render()
    assert isinstance(after, numpy.ndarray)
    assert after.dtype == numpy.uint8
    assert after.shape == before.shape
    assert after.ndim == after.shape[2] == 3
    assert (after != before).any()


def test_partial_moves_stay_with_the_agent() -> None:
    """Splut! players move up to three times in a turn."""
    game = forthvm.load("splut-partial")
    game.actions.renumber(games=30, plies=200)
    env = adapter.raw_env(game)
    env.reset(seed=1)
    movers = []
    for agent in env.agent_iter(12):
        movers.append(agent)
        assert env.names[agent] == env.episode.position.turn
        mask = env.infos[agent]["action_mask"]
        env.step(env.action_space(agent).sample(mask))
    assert len(set(movers)) > 2
    assert any(first == second for first, second in pairwise(movers))


def test_chance_and_passes_are_played() -> None:
    env = adapter.raw_env("ur")
    env.reset(seed=5)
    while env.agents:
        env.step(_sampled(env))
    turns = {entry.player for entry in env.episode.position.history}
    assert turns == {"White", "Black", "?Dice"}


def test_rewards() -> None:
    env = adapter.env("tictactoe")
    env.reset(seed=0)
    game = forthvm.load("tictactoe")
    for move in ("a1", "b1", "a2", "b2", "a3"):
        env.step(_action(game, move))
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert env.terminations == {"player_0": True, "player_1": True}
    assert not env.infos["player_0"]["action_mask"].any()


def test_cut_off_games_are_truncated() -> None:
    env = adapter.raw_env("breakthrough", max_plies=5)
    env.reset(seed=0)
    for _ in range(5):
        assert not any(env.truncations.values())
        env.step(_sampled(env))
    assert all(env.truncations.values())
    assert set(env.rewards.values()) == {0.0}
    assert not any(env.terminations.values())


def test_illegal_actions() -> None:
    raw = adapter.raw_env("tictactoe")
    raw.reset()
    raw.step(0)
    with raises(IllegalMoveError, "pettingzoo.illegal-action"):
        raw.step(0)
    assert raw.agent_selection == "player_1"
    wrapped = adapter.env("tictactoe")
    wrapped.reset()
    wrapped.step(0)
    wrapped.step(0)
    assert wrapped.rewards == {"player_0": 0, "player_1": -1.0}


def test_masks_in_observations() -> None:
    env = adapter.env("tictactoe", action_mask="observation")
    env.reset()
    observation = env.observe("player_0")
    assert observation["action_mask"].tolist() == [1] * 9
    assert env.observe("player_1")["action_mask"].tolist() == [0] * 9
    assert env.observation_space("player_0").contains(observation)


def test_agents_observe_what_their_players_see(pennies: Path) -> None:
    env = adapter.raw_env(pennies)
    env.reset()
    game = env.episode.game
    before = env.observe("player_1")
    seen = []
    for square in ("a1", "b1"):
        env.reset()
        env.step(_action(game, square))
        seen.append([env.observe(agent) for agent in env.agents])
    assert not numpy.array_equal(seen[0][0], seen[1][0])
    assert numpy.array_equal(seen[0][1], seen[1][1])
    assert before.shape == seen[0][1].shape


def test_a_start_position() -> None:
    position = play(loaded("tictactoe").start(), "b2")
    env = adapter.env("tictactoe")
    env.reset(options={"start": position})
    assert env.agent_selection == "player_1"
    assert env.infos["player_1"]["action_mask"].sum() == 8
    with raises(AdapterError, "pettingzoo.position-of-another-game"):
        env.reset(options={"start": loaded("reversi").start()})


def test_every_bundled_game_is_registered() -> None:
    for listed in forthvm.games():
        for kind in ("aec", "parallel"):
            assert pettingzoo.spec(kind, f"forthvm/{listed.name}-v0").namespace == "forthvm"
    env = pettingzoo.make("aec", "forthvm/tictactoe-v0", max_plies=4)
    assert str(env) == "tictactoe_v0"
    parallel = pettingzoo.make("parallel", "forthvm/game-v0", game="tictactoe")
    assert str(parallel) == "tictactoe_v0"


def test_options_are_checked() -> None:
    with raises(AdapterError, "pettingzoo.where-the-mask-is"):
        adapter.env("tictactoe", action_mask="none")
    with raises(ValueError, "pettingzoo.render-mode"):
        adapter.env("tictactoe", render_mode="gif")
    with raises(AdapterError, "pettingzoo.max-plies"):
        adapter.env("tictactoe", max_plies=0)


def test_numbers_of_a_file(tmp_path: Path) -> None:
    game = forthvm.load("breakthrough")
    game.actions.renumber(games=1, plies=1)
    document = json.loads(game.actions.to_json()) | {"spare": 9}
    (tmp_path / "numbers.json").write_text(json.dumps(document))
    env = adapter.raw_env("breakthrough", actions=tmp_path / "numbers.json")
    assert env.episode.size == 64 * 64 + 9 * 65


def _action(game: forthvm.Game, move: str) -> int:
    """Return the number of the action with a text."""
    texts = [game.actions.text(number) for number in range(len(game.actions))]
    return next(number for number, text in enumerate(texts) if text.endswith(move))


def _sampled(env: adapter.BoardGame) -> int | None:
    agent = env.agent_selection
    if env.terminations[agent] or env.truncations[agent]:
        return None
    action: int = env.action_space(agent).sample(env.infos[agent]["action_mask"])
    return action


def test_misuse_of_the_parallel_interface() -> None:
    env = adapter.parallel_env("tictactoe")
    with raises(AdapterError, "pettingzoo.not-reset"):
        env.step({"player_0": 0})
    env.reset()
    with raises(AdapterError, "pettingzoo.no-action-of-the-mover"):
        env.step({"player_1": 0})
