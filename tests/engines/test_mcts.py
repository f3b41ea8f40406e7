"""Tests of Monte Carlo tree search: limits, proven results, forced wins, values."""

from __future__ import annotations

import json

import pytest

from forthvm import engines
from forthvm.engines import EngineOptionError, Info, Limits
from forthvm.engines.search.mcts import MctsEngine, SearchTree
from forthvm.game import DRAW, LOSS, WIN
from tests.engines.mcts_trees import after, grown
from tests.engines.reference import Budget, Node, Rules, TwoSides, late_positions
from tests.kit.cases import each_case
from tests.kit.every_game import every_game
from tests.kit.games import loaded, play

# --- without limits ------------------------------------------------------------------------------

MOST_STEPS = 20_000_000
"""The number of steps of the VM after which a search without limits ends."""


@pytest.mark.slow
@every_game()
def test_search_without_limits_is_bounded(name: str) -> None:
    """A search without limits ends after a number of steps and is reproducible."""
    position = loaded(name).start()
    while position.is_chance:
        position.push(position.legal_moves[0])
    native = position.game._loaded.vm.native
    results = []
    for _ in range(2):
        result = MctsEngine(seed=5).play(position)
        results.append((result.move.index, result.score, result.nodes))
    assert results[0] == results[1]
    assert 100 <= result.nodes <= 2000
    with position._in_memory():
        tree = SearchTree(position)
        MctsEngine(seed=5).grow(tree)
        assert native.steps() < 1.1 * MOST_STEPS


def test_limits_replace_the_step_limit() -> None:
    position = loaded("thud").start()
    result = MctsEngine(playouts=60, depth=20).play(position)
    assert result.nodes == 60


@pytest.mark.parametrize(("name", "depth"), [("splut-three", 24), ("splut-duel", 1000)])
def test_playouts_of_several_players_are_evaluated_early(name: str, depth: int) -> None:
    """With more than two players and OnEvaluate, a playout has 24 plies unless `depth` is given."""
    position = loaded(name).start()
    while position.is_chance:
        position.push(position.legal_moves[0])
    results = [
        MctsEngine(playouts=20, seed=1, **options).play(position)
        for options in ({}, {"depth": depth})
    ]
    assert results[0].score == results[1].score
    assert results[0].info["lines"] == results[1].info["lines"]


# --- proven results ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "score", "proven"),
    [
        (("a1", "b1"), WIN, "win"),
        (("a1", "b2", "c3", "a2", "c2"), DRAW, "draw"),
        (("b2", "b1", "a3"), LOSS, "loss"),
    ],
)
def test_proven_results_have_their_scores(texts: tuple[str, ...], score: int, proven: str) -> None:
    reports: list[Info] = []
    position = after("tictactoe", *texts)
    result = MctsEngine(playouts=20000, seed=1).play(position, report=reports.append)
    assert (result.score, result.info["proven"]) == (score, proven)
    assert (reports[-1].score, reports[-1].proven) == (score, proven)


def test_lines_have_proven_scores() -> None:
    """Winning and losing moves have the scores of a win and a loss; the others lie between."""
    position = after("tictactoe", "a1", "b1", "b2", "b3")  # X wins by a3, c1 or c3
    lines = MctsEngine(playouts=20000, seed=1, lines=9).play(position).info["lines"]
    assert lines[0][0] == WIN  # type: ignore[index]
    assert all(score in (WIN, DRAW, LOSS) or abs(score) <= 1000 for score, _ in lines)  # type: ignore[attr-defined]


def test_unproven_results_are_scored_in_thousandths() -> None:
    result = MctsEngine(playouts=50, seed=1).play(loaded("breakthrough").start())
    assert result.info["proven"] is None
    assert -1000 <= (result.score or 0) <= 1000


# --- forced wins ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("texts", "winner"),
    [
        (("a1", "b1"), "X"),  # O's reply on the edge next to the corner loses
        (("b2", "b1"), "X"),  # O's reply on an edge loses against the centre
        (("b2", "b1", "a3", "c1"), "X"),
        (("b1", "b2", "c2", "a3", "c1"), None),
    ],
)
def test_tictactoe_is_proven(texts: tuple[str, ...], winner: str | None) -> None:
    position = after("tictactoe", *texts)
    values = TwoSides(Node(position, Budget(60_000)), Rules()).move_values(9)
    exact = max(values)
    result = engines.get("mcts:playouts=20000,seed=1").play(position)
    proof = result.info["proof"]
    other = "O" if position.turn == "X" else "X"
    assert proof == ("draw" if exact == 0 else position.turn if exact > 0 else other)
    if winner is not None:
        assert proof == winner
    assert result.info["playouts"] < 20000  # the search stopped after the proof
    sign = (values[result.move.index] > 0) - (values[result.move.index] < 0)
    assert sign == (exact > 0) - (exact < 0)


def test_win_of_a_breakthrough_ending_is_proven() -> None:
    setup = [
        ("White", "pawn", "b6"),
        ("White", "pawn", "g2"),
        ("Black", "pawn", "e5"),
        ("Black", "pawn", "h6"),
        ("Black", "pawn", "d8"),
    ]
    # The pawn on b6 wins by moving to b7, where no black pawn can stop it.  After any other move,
    # the pawn on d8 stops it, or Black is faster.
    position = loaded("breakthrough").start(setup=setup, turn="White")
    result = engines.get("mcts:playouts=20000,seed=3").play(position)
    assert result.info["proof"] == "White"
    assert result.score > 900
    exact = engines.get("negamax:depth=5").play(position)
    assert exact.score > WIN - 10
    after_move = play(position.copy(), result.move)
    assert engines.get("negamax:depth=6").play(after_move).score < -WIN + 10


@pytest.mark.slow
def test_splut_finds_the_kill_of_the_last_wizard() -> None:
    # Negamax finds the win at depth 2.  The tree search must prove it, although the game is over
    # only after further steps of the same turn and the turn of the cleaner, a chance player.
    proven_wins = 0
    for seed in range(1, 40):
        for position in late_positions(loaded("splut-duel").start(), seed, max_turns=60, step=3):
            if (engines.get("negamax:depth=2").play(position).score or 0) < WIN - 1000:
                continue
            result = engines.get("mcts:playouts=20000,seed=2").play(position)
            assert result.info["proof"] == position.turn, repr(position)
            after_move = play(position.copy(), result.move)
            assert grown(after_move, 20000).root.proof == position.turn
            proven_wins += 1
            break  # one win for each seed
        if proven_wins == 2:
            return
    assert proven_wins


def test_forced_loss_is_proven() -> None:
    position = after("tictactoe", "a1", "b1", "a3", "a2", "c3")  # two threats of X, O to move
    result = engines.get("mcts:playouts=5000").play(position)
    assert result.info["proof"] == "X"


# --- many players, chance, passes ----------------------------------------------------------------


@each_case("name", ["three-dice", "exact-throw", "two-dice", "outside", "vast"])
def test_search_of_unusual_games_returns_a_legal_move(name: str) -> None:
    position = loaded(name).start()
    if position.is_chance:
        position.push(position.legal_moves[0])
    before = position.copy()
    result = engines.get("mcts:playouts=200,depth=40,seed=5").play(position)
    assert result.move in position.legal_moves
    assert position == before
    assert result.nodes == 200 or result.info["proof"] is not None


def test_each_of_three_players_maximizes_its_own_reward() -> None:
    setup = [
        ("?Dice", "one", "a1"),
        ("Ann", "runner", "b7"),
        ("Ann", "runner", "e4"),
        ("Bob", "runner", "b6"),
        ("Cid", "runner", "a5"),
    ]
    # Ann (turn 1) wins by a runner in column f.  Bob (turn 3) has only one move.
    for turn, best_moves in (
        (1, {"runner e4 - f4"}),
        (3, {"runner b6 - c6 x c5", "runner b6 - c6"}),
    ):
        position = loaded("three-dice").start(setup=setup, turn=turn)
        result = engines.get("mcts:playouts=500,seed=1").play(position)
        assert str(result.move) in best_moves


# --- reproducibility -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tictactoe", "breakthrough", "three-dice", "splut-duel"])
def test_same_seed_grows_the_same_tree(name: str) -> None:
    position = loaded(name).start()
    if position.is_chance:
        position.push(position.legal_moves[0])
    trees = [grown(position, 60, seed=seed, depth=40).to_json() for seed in (4, 4, 5)]
    assert trees[0] == trees[1]
    assert trees[0] != trees[2]


def test_growing_in_two_steps_equals_one_step() -> None:
    tree = SearchTree(after("breakthrough"))
    engine = MctsEngine(seed=1)
    assert engine.grow(tree, Limits(nodes=70)) == 70
    assert tree.root.visits == 70
    assert engine.grow(tree, Limits(nodes=50)) == 50
    assert tree.root.visits == 120
    assert sum(child.visits for child in tree.root.children) in {119, 120}


# --- values --------------------------------------------------------------------------------------


def test_root_value_is_for_the_player_to_move() -> None:
    """The value of the root is the mean over all visits, from the view of the player to move."""
    position = after("tictactoe", "b2", "b1")  # X is winning
    tree = grown(position, 100, seed=1)
    visited = [child for child in tree.root.children if child.visits]
    visits = sum(child.visits for child in visited)
    mean = sum(child.value * child.visits for child in visited) / visits
    assert tree.root.value == pytest.approx(mean)
    assert tree.root.value > 0.6
    assert tree.root.mover == "X"
    assert {child.mover for child in visited} == {"X"}
    assert {below.mover for child in visited for below in child.children if below.visits} == {"O"}
    # For the losing player the value is low.
    assert grown(after("tictactoe", "b2", "b1", "a1"), 300, seed=1).root.value < 0.3


def test_empty_tree_has_a_neutral_value() -> None:
    for name in ("three-dice", "tictactoe"):  # a chance node, and a choice
        position = loaded(name).start()
        tree = SearchTree(position)
        assert (tree.root.value, tree.root.mover) == (0.5, position.turn)


def test_root_value_is_kept_when_a_move_is_followed() -> None:
    tree = grown(after("tictactoe", "b2"), 500, seed=1)
    below = [
        (child.move_index, child.visits, child.value) for child in tree.root.children[0].children
    ]
    tree.follow(0)
    assert [(child.move_index, child.visits, child.value) for child in tree.root.children] == below
    assert tree.root.mover == "X"
    all_visits = sum(visits for _, visits, _ in below)
    value_sum = sum(visits * value for _, visits, value in below)
    assert tree.root.value == pytest.approx(value_sum / all_visits)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe", "three-dice", "splut-duel"])
def test_restored_tree_is_equal_bit_for_bit(name: str) -> None:
    position = loaded(name).start()
    if position.is_chance:
        position.push(position.legal_moves[0])
    tree = grown(position, 200, seed=2, depth=30)
    restored = SearchTree.from_json(position, tree.to_json())
    assert restored.nodes(0, len(restored)) == tree.nodes(0, len(tree))
    assert [vars(node) for node in restored.nodes(0, 9)] == [
        vars(node) for node in tree.nodes(0, 9)
    ]
    assert restored.position == tree.position
    assert (restored.root.value, restored.root.proof, tuple(restored.most_visited_path())) == (
        tree.root.value,
        tree.root.proof,
        tuple(tree.most_visited_path()),
    )
    # Two restored trees grow in the same way.
    second = SearchTree.from_json(position, tree.to_json())
    for restored_tree in (restored, second):
        MctsEngine(seed=9, depth=30).grow(restored_tree, Limits(nodes=100))
    assert restored.to_json() == second.to_json()
    # A restored tree grows like the original tree.
    third = SearchTree.from_json(position, tree.to_json())
    for grown_tree in (tree, third):
        MctsEngine(seed=2, depth=30).grow(grown_tree, Limits(nodes=100))
    assert third.to_json() == tree.to_json()
    # The document contains the position.
    assert json.loads(restored.to_json())["position"] == json.loads(position.to_json())


# --- limits --------------------------------------------------------------------------------------


def test_full_tree_can_be_searched_further() -> None:
    result = engines.get("mcts:playouts=500,most_nodes=30,seed=1").play(after("breakthrough"))
    assert result.info["tree_nodes"] <= 30
    assert result.nodes == 500
    tiny = engines.get("mcts:playouts=100,most_nodes=1").play(after("breakthrough"))
    assert tiny.move in after("breakthrough").legal_moves


def test_time_zero_returns_a_move() -> None:
    position = after("breakthrough")
    assert engines.get("mcts").play(position, Limits(time=0)).move in position.legal_moves


@each_case(
    "spec",
    [
        "mcts:playouts=0",
        "mcts:time=-1",
        "mcts:exploration=x",
        "mcts:most_nodes=0",
        "mcts:keep=maybe",
        "mcts:seed=-1",
        "mcts:plies=3",
        "mcts:depth=-1",
    ],
)
def test_invalid_options_are_refused(spec: str) -> None:
    with pytest.raises(EngineOptionError):
        engines.get(spec)
