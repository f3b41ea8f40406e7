"""The simulations of OpenSpiel, its algorithms on games of ours, and the contracts of states."""

from __future__ import annotations

import os
import pickle
import random
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest

import forthvm
from forthvm.core.errors import ForthVMError, IllegalMoveError, SettingError
from tests.kit.every_game import BUNDLED, OTHER_GAMES
from tests.kit.messages import raises
from tests.kit.random_games import push_random_moves

pytest.importorskip("pyspiel")
import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, mcts, minimax
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

from forthvm.learn.adapters import openspiel as adapter
from tests.kit.games import loaded
from tests.kit.processes import output_of

pytestmark = pytest.mark.extras

GAMES = [
    ("forthvm_tictactoe", {}),
    ("forthvm_breakthrough", {"history": 2}),
    pytest.param("forthvm_reversi", {}, marks=pytest.mark.slow),
    pytest.param("forthvm_ur", {"max_plies": 400}, marks=pytest.mark.slow),
    pytest.param("forthvm_yonin_shogi", {"max_plies": 50}, marks=pytest.mark.slow),
    pytest.param("forthvm_chess", {"max_plies": 50}, marks=pytest.mark.slow),
    pytest.param("forthvm_splut", {"max_plies": 30}, marks=pytest.mark.slow),
]


def load(path: Path, **parameters: object) -> Any:  # noqa: ANN401 - pyspiel has no types
    return pyspiel.load_game("forthvm", {"game": str(path), **parameters})


@pytest.mark.sampled(7)
@pytest.mark.parametrize(("name", "parameters"), GAMES)
def test_random_simulations(name: str, parameters: dict[str, Any]) -> None:
    game = pyspiel.load_game(name, parameters)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
def test_random_simulations_of_small_scripts(pennies: Path, guess: Path) -> None:
    for path in (pennies, guess):
        pyspiel.random_sim_test(load(path), num_sims=5, serialize=True, verbose=False)


def test_the_clock_does_not_change_states(drawn_start: Path) -> None:
    state = load(drawn_start).new_initial_state()
    key = forthvm.load(drawn_start, clock=0).start().key
    assert str(state).endswith(f"key {key:016x}")
    pyspiel.random_sim_test(load(drawn_start), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.skipif(
    not os.environ.get("FORTHVM_SIMULATE_ALL"), reason="FORTHVM_SIMULATE_ALL is not set"
)
@pytest.mark.parametrize(
    "game", [*(entry.name for entry in BUNDLED), *OTHER_GAMES], ids=lambda game: Path(game).name
)
def test_random_simulations_of_every_game(game: str | Path) -> None:
    """It takes some seconds for each game."""
    if not forthvm.load(game).contestants:
        pytest.skip("chance makes all moves")
    pyspiel.random_sim_test(
        load(Path(game), max_plies=40), num_sims=1, serialize=True, verbose=False
    )


def test_types(pennies: Path, guess: Path) -> None:
    kind = pyspiel.GameType
    tictactoe = pyspiel.load_game("forthvm_tictactoe").get_type()
    assert tictactoe.chance_mode == kind.ChanceMode.DETERMINISTIC
    assert tictactoe.information == kind.Information.PERFECT_INFORMATION
    assert tictactoe.utility == kind.Utility.ZERO_SUM
    hidden = load(pennies).get_type()
    assert hidden.information == kind.Information.IMPERFECT_INFORMATION
    chance = load(guess)
    assert chance.get_type().chance_mode == kind.ChanceMode.EXPLICIT_STOCHASTIC
    assert chance.num_players() == 1
    assert chance.get_type().utility == kind.Utility.GENERAL_SUM


def test_pieces_are_hidden_by_a_parameter() -> None:
    game = pyspiel.load_game("forthvm_tictactoe", {"on_show": "~mark"})
    assert game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    states = [game.new_initial_state() for _ in range(2)]
    for state, reply in zip(states, ("a1", "c3"), strict=True):
        for move in ("b2", reply):
            state.apply_action(state.position.parse(move).action)
    seen_by_x, seen_by_o = ({state.observation_string(at) for state in states} for at in (0, 1))
    assert len(seen_by_x) == 1
    assert len(seen_by_o) == 2
    assert states[0].legal_actions(1) == []  # X is to move
    with raises(SettingError, "openspiel.unknown-piece"):
        pyspiel.load_game("forthvm_tictactoe", {"on_show": "~queen"})


def test_perfect_play_draws_tic_tac_toe() -> None:
    """The value after three moves; all positions would take some seconds."""
    game = pyspiel.load_game("forthvm_tictactoe")
    for moves, value in ((("b2", "a1", "c3"), 0), (("b2", "b1", "a1"), 1)):
        state = game.new_initial_state()
        for move in moves:
            state.apply_action(state.position.parse(move).action)
        assert minimax.alpha_beta_search(game, state, maximizing_player_id=0)[0] == value


@pytest.mark.slow
def test_tic_tac_toe_is_a_draw() -> None:
    game = pyspiel.load_game("forthvm_tictactoe")
    assert minimax.alpha_beta_search(game)[0] == 0


def test_search_with_playouts_wins() -> None:
    game = pyspiel.load_game("forthvm_tictactoe")
    chooser = numpy.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, chooser)
    bot = mcts.MCTSBot(game, 2, 60, evaluator, random_state=chooser, solve=True)
    state = game.new_initial_state()
    for move in ("a1", "b1", "a2", "b2"):
        state.apply_action(state.position.parse(move).action)
    assert state.action_to_string(bot.step(state)) == "a3"


@pytest.mark.slow
def test_equilibrium_of_a_game_with_hidden_pieces(pennies: Path) -> None:
    game = load(pennies)
    always_first = policy.TabularPolicy(game)
    assert len(always_first.state_lookup) == 2  # one information state of each player
    assert exploitability.exploitability(game, always_first) == pytest.approx(0)
    always_first.action_probability_array[:] = 0
    always_first.action_probability_array[:, always_first.legal_actions_mask[0].argmax()] = 1
    solver = cfr.CFRSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert exploitability.exploitability(game, average) < 0.05


def test_expectation_with_chance(guess: Path) -> None:
    game = load(guess)
    state = game.new_initial_state()
    values = expected_game_score.policy_value(state, [policy.UniformRandomPolicy(game)])
    assert values == pytest.approx([-1 / 3])
    state.apply_action(state.legal_actions()[0])
    assert state.is_chance_node()
    outcomes = dict(state.chance_outcomes())
    assert list(outcomes.values()) == pytest.approx([1 / 3] * 3)
    assert all(action < game.max_chance_outcomes() for action in outcomes)


def test_dice_have_their_probabilities() -> None:
    """Three dice of ur show 0 to 3; chance moves without an alternative are not visible."""
    state = pyspiel.load_game("forthvm_ur").new_initial_state()
    seen = 0
    while seen < 20 and not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert len(outcomes) > 1
            assert sum(probability for _, probability in outcomes) == pytest.approx(1)
            state.apply_action(outcomes[seen % len(outcomes)][0])
            seen += 1
        else:
            state.apply_action(state.legal_actions()[0])


def test_returns_and_history() -> None:
    state = pyspiel.load_game("forthvm_tictactoe").new_initial_state()
    assert state.returns() == [0, 0]
    actions = []
    for move in ("a1", "b1", "a2", "b2", "a3"):
        actions.append(state.position.parse(move).action)
        assert state.action_to_string(state.current_player(), actions[-1]) == move
        state.apply_action(actions[-1])
    assert state.is_terminal()
    assert state.returns() == [1, -1]
    assert state.history() == actions
    assert "X won" in str(state)


def test_games_that_are_too_long_are_draws() -> None:
    game = pyspiel.load_game("forthvm_breakthrough(max_plies=3)")
    assert game.max_game_length() == 3
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.move_number() == 3
    assert state.returns() == [0, 0]
    assert "too long" in str(state)


def test_clones_are_independent() -> None:
    state = pyspiel.load_game("forthvm_breakthrough").new_initial_state()
    state.apply_action(state.legal_actions()[0])
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert len(state.history()) == 1
    assert str(state) != str(clone)


def test_pickles_contain_actions_only() -> None:
    game = pyspiel.load_game("forthvm_breakthrough", {"max_plies": 50})
    state = game.new_initial_state()
    for _ in range(9):
        state.apply_action(state.legal_actions()[-1])
    data = pickle.dumps(state)
    assert len(data) < 1000
    copy = pickle.loads(data)
    assert str(copy) == str(state)
    assert copy.history() == state.history()
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


def test_states_begin_with_any_position() -> None:
    game = pyspiel.load_game("forthvm_breakthrough")
    position = push_random_moves(loaded("breakthrough").start(), 7, random.Random(3))
    state = game.new_initial_state(position.to_json())
    assert state.position.key == position.key
    assert state.history() == []
    state.apply_action(state.legal_actions()[0])
    _, copy = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(copy) == str(state)


def test_equal_texts_mean_equal_states() -> None:
    game = pyspiel.load_game("forthvm_tictactoe")
    texts = []
    for moves in (("a1", "b2", "c3"), ("c3", "b2", "a1")):
        state = game.new_initial_state()
        for move in moves:
            state.apply_action(state.position.parse(move).action)
        texts.append(str(state))
    assert texts[0] == texts[1]
    assert texts[0] != str(game.new_initial_state())


def test_observers(pennies: Path) -> None:
    game = load(pennies)
    planes, history = make_observation(game), make_observation(game, INFO_STATE_OBS_TYPE)
    assert history.tensor is None
    observed: list[list[Any]] = [[], []]
    states: list[set[str]] = [set(), set()]
    for action in game.new_initial_state().legal_actions():
        state = game.new_initial_state()
        state.apply_action(action)
        for player in (0, 1):
            planes.set_from(state, player)
            observed[player].append(planes.tensor.copy())
            states[player].add(state.information_state_string(player))
            assert state.observation_tensor(player) == pytest.approx(planes.tensor)
    assert [len(texts) for texts in states] == [2, 1]
    assert not numpy.array_equal(*observed[0])
    assert numpy.array_equal(*observed[1])
    assert tuple(game.observation_tensor_shape()) == planes.dict["observation"].shape
    with raises(ForthVMError, "openspiel.hidden-pieces"):
        make_observation(game, pyspiel.IIGObservationType(perfect_recall=False, public_info=False))


def test_illegal_actions() -> None:
    state = pyspiel.load_game("forthvm_tictactoe").new_initial_state()
    state.apply_action(0)
    with pytest.raises(IllegalMoveError):
        state.apply_action(0)
    assert len(state.history()) == 1


def test_every_bundled_game_is_registered() -> None:
    names = set(pyspiel.registered_names())
    assert {adapter.registered_name(listed.name) for listed in forthvm.games()} < names


def test_parameters_are_checked() -> None:
    with raises(ForthVMError, "openspiel.no-parameter-game"):
        pyspiel.load_game("forthvm")
    with raises(ForthVMError, "openspiel.max-plies"):
        pyspiel.load_game("forthvm_tictactoe(max_plies=0)")
    with raises(ForthVMError, "openspiel.no-game"):
        pyspiel.load_game("forthvm(game=nonsense)")


@pytest.mark.slow
def test_the_interpreter_ends_normally() -> None:
    """OpenSpiel drops its references to games after the interpreter has ended."""
    program = (
        "import pyspiel, forthvm.learn.adapters.openspiel\n"
        "state = pyspiel.load_game('forthvm_tictactoe').new_initial_state()\n"
    )
    output_of(sys.executable, "-c", program)
