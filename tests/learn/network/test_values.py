"""Networks have the values that their definition says, in all searches."""

from __future__ import annotations

import math
import random
from array import array
from dataclasses import replace

import pytest

from forthvm import engines
from forthvm.core.bindings import Network, NetworkWeights
from forthvm.engines import Limits
from forthvm.engines.search.mcts import MctsEngine, SearchTree
from forthvm.game import Move, Position, load
from forthvm.learn.network.inputs import choose_inputs
from tests.kit.games import play

from .models import NetworkModel, features_of, network_of, pattern_weights, random_network, value_of

GAMES = ["breakthrough", "chess", "draughts", "reversi", "rithmomachia", "splut", "ur", "thud"]


def random_position(name: str, plies: int, seed: int) -> Position:
    """Return a position after random moves, the last one that is not decided."""
    position, choices = load(name).start(), random.Random(seed)
    position.seed(seed)
    for _ in range(plies):
        following = position.copy()
        if following.is_stuck:
            following.push_pass()
        else:
            following.push(following.legal_moves[choices.randrange(len(following.legal_moves))])
        if following.result is not None:
            break
        position = following
    return position


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", GAMES)
def test_value_is_that_of_the_definition(name: str) -> None:
    network = random_network(load(name), hidden=24).network
    for seed in range(6):
        position = random_position(name, 12 * seed, seed)
        board = array("i", position.cells).tobytes()
        for view in range(network.inputs.views):
            turn = position._turn_index
            features = features_of(network.inputs, position.cells, turn, view)
            assert sorted(network.features(board, turn, view)) == features
            assert network.value(board, turn, view) == value_of(network, position.cells, turn, view)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("breakthrough", "negamax:depth=4"),
        ("chess", "negamax:depth=2"),
        ("draughts", "negamax:depth=5,tt=0"),
        ("rithmomachia", "negamax:depth=1"),
        pytest.param("ur", "negamax:depth=2", marks=pytest.mark.slow),
        ("splut", "maxn:depth=1"),
        ("splut", "negamax:depth=1"),
        ("splut", "brs:depth=1"),
    ],
)
def test_search_evaluates_as_the_model_does(name: str, spec: str) -> None:
    """The sums of a search are updated move by move; the model adds all features each time."""
    game = load(name)
    network = random_network(game)
    for seed in range(2):
        position = random_position(name, 10 + 6 * seed, seed)
        found = engines.get(f"{spec},captures=no", net=network).play(position)
        model = engines.get(f"{spec},captures=no", evaluator=NetworkModel(network)).play(position)
        assert (found.score, found.move) == (model.score, model.move)
        assert found.info["evaluations"] == model.info["evaluations"]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("chess", "negamax:depth=3"),
        ("draughts", "negamax:depth=5"),
        ("ur", "negamax:depth=1"),
        ("splut", "maxn:depth=2"),
        ("splut", "negamax:depth=2"),
        ("splut", "brs:depth=2"),
    ],
)
def test_search_adds_the_own_evaluation(name: str, spec: str) -> None:
    """A network without weights has the values of the game's own evaluation, times the factor.

    Means of outcomes of chance are rounded, so that they are not exactly three times as much.
    """
    game = load(name)
    inputs = choose_inputs(game)
    position = random_position(name, 10, 1)
    plain = engines.get(spec, net="none").play(position)
    for factor in (1,) if name == "ur" else (1, 3):
        weights = NetworkWeights.zero(inputs, 8, own=factor, unit=700)
        network = network_of(game, inputs, weights)
        found = engines.get(spec, net=network).play(position)
        assert (found.score, found.move) == (factor * plain.score, plain.move)
        assert found.info["evaluations"] == plain.info["evaluations"]


@pytest.mark.slow
def test_values_of_a_network_are_in_units_of_its_scores() -> None:
    """The bias of one unit is for the player to move after the move."""
    game = load("chess")
    inputs = choose_inputs(game)
    weights = NetworkWeights.zero(inputs, 0, own=1, unit=700)
    given = network_of(game, inputs, replace(weights, bias=256))
    position = random_position("chess", 10, 1)
    board = array("i", position.cells).tobytes()
    assert given.network.value(board, position._turn_index, position.player_index) == 700
    plain = engines.get("negamax:depth=1", net="none").play(position).score
    assert engines.get("negamax:depth=1", net=given).play(position).score == plain - 700


@pytest.mark.parametrize("name", ["chess", "draughts"])
def test_own_evaluation_is_that_of_the_position(name: str) -> None:
    """For the player to move (0), and for each player: it is that of the other, negative."""
    position = random_position(name, 40, 2)
    with position._in_memory() as native:
        found = [native.evaluate(number) for number in (0, 1, 2)]
        assert [native.evaluate(number) for number in (0, 1, 2)] == found
    assert found[0] == found[position.player_index + 1] != 0


class DecidedError(Exception):
    """A search has reached the end of the game, whose value depends on the distance."""


def best_value(network: Network, position: Position, depth: int, *, extension: int) -> int:
    """Return the value of a position for the player to move, by a search without cutoffs."""
    if position.result is not None:
        raise DecidedError
    moves = position.legal_moves
    best = -(1 << 30)
    if depth <= 0:
        board = array("i", position.cells).tobytes()
        value = network.value(board, position._turn_index, position.player_index)
        if depth <= -extension:
            return value
        if len(moves) > 1:
            best = value
    for move in moves:
        if best != -(1 << 30) and depth <= 0 and not takes(position, move):
            continue
        after = play(position.copy(), move)
        best = max(best, -best_value(network, after, depth - 1, extension=extension))
    return best


def takes(position: Position, move: Move) -> bool:
    """Whether a move captures a piece of the other player."""
    own = position.game.player_details[position.player_index].cell
    squares = (position.game.positions.index(name) for name in move.captures)
    return any(position.cells[at] and not position.cells[at] & own for at in squares)


@pytest.mark.slow
def test_quiescence_search_tries_captures() -> None:
    game = load("breakthrough")
    network = random_network(game)
    checked = 0
    for seed in range(6):
        position = random_position("breakthrough", 10 + 5 * seed, seed)
        try:
            expected = best_value(network.network, position, 1, extension=2)
        except DecidedError:
            continue
        spec = "negamax:depth=1,extension=2,tt=0,repetition=no"
        assert engines.get(spec, net=network).play(position).score == expected
        plain = engines.get("negamax:depth=1,extension=0", net=network).play(position)
        checked += plain.score != expected
    assert checked > 0


@pytest.mark.slow
def test_players_see_the_same_from_their_sides() -> None:
    for name in ("breakthrough", "chess", "draughts"):
        inputs = choose_inputs(load(name))
        network = Network(inputs, NetworkWeights.zero(inputs, 0))
        board = array("i", load(name).start().cells).tobytes()
        assert sorted(network.features(board, 0, 0)) == sorted(network.features(board, 1, 1)), name


def test_linear_network_adds_direct_weights() -> None:
    game = load("breakthrough")
    network = random_network(game, hidden=0).network
    position = game.start()
    board = array("i", position.cells).tobytes()
    direct = array("h", network.weights.direct)
    expected = network.weights.bias + sum(
        direct[feature] for feature in network.features(board, 0, 0)
    )
    expected += sum(pattern_weights(network, position.cells, 0))
    assert network.value(board, 0, 0) == expected


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["breakthrough", "splut", "ur"])
def test_tree_search_values_leaves_without_playouts(name: str) -> None:
    """The first visit of a move has the value that the network gives the position after it."""
    game = load(name)
    network = random_network(game)
    position = random_position(name, 9, 2)
    if position.is_chance:
        position.push(position.legal_moves[0])
    engine = engines.get("mcts", net=network, seed=3)
    tree = SearchTree(position)
    assert isinstance(engine, MctsEngine)
    engine.grow(tree, Limits(nodes=len(position.legal_moves)))
    view = network.network.inputs.view_of[position.player_index + 1]
    checked = 0
    for move, node in zip(position.legal_moves, tree.root.children, strict=True):
        after = play(position.copy(), move)
        if node.visits != 1 or after.result is not None or after.is_chance:
            continue
        viewer = network.network.inputs.view_of[after.player_index + 1]
        two = network.network.inputs.views == 2
        board = array("i", after.cells).tobytes()
        seen = viewer if two else view
        value = network.network.value(board, after._turn_index, seen)
        value = -value if seen != view else value
        assert node.value == pytest.approx(1 / (1 + math.exp(-value / 256)), abs=1e-5)
        checked += 1
    assert checked > 0 or name == "ur"


@pytest.mark.slow
def test_one_table_serves_all_players() -> None:
    """With more than two players, values depend on the player who searches."""
    network = random_network(load("splut"))
    shared = engines.get("negamax:depth=2", net=network)
    position = load("splut").start()
    for _ in range(12):
        fresh = engines.get("negamax:depth=2", net=network)
        found = shared.play(position)
        assert found.score == fresh.play(position).score
        position.push(found.move)


def test_values_of_tables_are_checked() -> None:
    inputs = choose_inputs(load("breakthrough"))
    weights = NetworkWeights.zero(inputs, 4)
    for changed in (
        replace(inputs, places=(inputs.features, *inputs.places[1:])),
        replace(inputs, places=(inputs.features - 1, *inputs.places[1:])),
        replace(inputs, places=inputs.places[1:]),
        replace(inputs, owners=(2, *inputs.owners[1:])),
        replace(inputs, turns=(inputs.features, *inputs.turns[1:])),
        replace(inputs, view_of=(2, *inputs.view_of[1:])),
        replace(inputs, numbers=((0, 1, 2), *inputs.numbers[1:])),
        replace(inputs, cells=0),
        replace(inputs, views=33),
        replace(inputs, types=1 << 20),
        replace(inputs, types=1 << 40),
        replace(inputs, view_of=(1 << 40, *inputs.view_of[1:])),
        replace(inputs, pattern_squares=(-1, *inputs.pattern_squares[1:])),
        replace(inputs, pattern_squares=(65, *inputs.pattern_squares[1:])),
        replace(inputs, pattern_shapes=(inputs.patterns, *inputs.pattern_shapes[1:])),
        replace(inputs, pattern_shapes=inputs.pattern_shapes[1:]),
        replace(inputs, pattern_size=1 << 30),
        replace(inputs, patterns=1 << 30),
        replace(inputs, places=(inputs.places[1], *inputs.places[1:])),
        replace(inputs, places=(inputs.places[0] + 1, *inputs.places[1:])),
        replace(inputs, turns=(0, *inputs.turns[1:])),
    ):
        with pytest.raises(ValueError, match="network"):
            Network(changed, weights)
    for values in (
        {"bias": 1 << 30},
        {"own": -1},
        {"own": 1 << 29},
        {"unit": 0},
        {"unit": 1 << 29},
    ):
        with pytest.raises(ValueError, match="network"):
            Network(inputs, replace(weights, **values))
    with pytest.raises(ValueError, match="network"):
        Network(inputs, replace(weights, weights=b""))
