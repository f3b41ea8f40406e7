"""Tests of the tree of Monte Carlo tree search as an object: views, JSON, reuse."""

from __future__ import annotations

import json
from typing import Any

import pytest

from forthvm.engines import EngineError, Limits
from forthvm.engines.search.mcts import MctsEngine, SearchTree, TreeView
from forthvm.game import Position
from tests.engines.mcts_trees import after, grown
from tests.kit.cases import each_case
from tests.kit.games import loaded


def test_views_have_the_moves_and_visits_of_the_tree() -> None:
    position = after("tictactoe", "b2")
    tree = grown(position, 200, seed=1)
    children = tree.root.children
    assert len(children) == len(position.legal_moves)
    assert [child.move_index for child in children] == list(range(8))
    assert tree.root.visits == 200
    for child in children:
        assert 0 <= child.value <= 1
        grandchildren = child.children
        assert len(grandchildren) in {0, 7}
        assert sum(grandchild.visits for grandchild in grandchildren) <= child.visits
    assert len(tree) == 1 + sum(count(child) for child in children)


def count(view: TreeView) -> int:
    """Return the number of nodes of a subtree."""
    return 1 + sum(count(child) for child in view.children)


@pytest.mark.parametrize("name", ["tictactoe", "three-dice"])
def test_tree_is_restored_from_json(name: str) -> None:
    position = loaded(name).start()
    if position.is_chance:
        position.push(position.legal_moves[0])
    tree = grown(position, 150, seed=2)
    text = tree.to_json()
    restored = SearchTree.from_json(position, text)
    assert restored.to_json() == text
    assert restored.position == position
    assert restored.best_index() == tree.best_index()
    MctsEngine(seed=3).grow(restored, Limits(nodes=50))
    assert restored.root.visits == tree.root.visits + 50


def document(position: Position, playouts: int = 60) -> dict[str, Any]:
    """Return the saved tree of a search as a JSON document."""
    saved: dict[str, Any] = json.loads(grown(position, playouts, seed=1).to_json())
    return saved


# Row, column and invalid value in `nodes`.  The columns of a row are the index of the first child,
# the number of children, visits, the mover's number, proof, the sum of rewards, and the prior.
INVALID_CELLS = [
    (0, 0, 0),  # the root's children include the root
    (0, 0, -1),
    (0, 0, 10**6),
    (0, 0, 2**40),
    (0, 1, 10**6),
    (0, 1, -3),
    (0, 1, 8),  # one child fewer than legal moves
    (0, 2, -1),
    (1, 3, 77),
    (1, 3, -1),
    (1, 4, 99),
    (1, 4, 20),  # the winner is a player that does not exist
    (1, 5, -0.5),
    (1, 5, 1e9),
    (1, 5, float("nan")),
    (1, 6, 2.0),
    (1, 6, float("nan")),
    (1, 0, "x"),
    (1, 2, None),
]


@pytest.mark.slow
@each_case(("row", "column", "value"), INVALID_CELLS)
def test_invalid_nodes_are_refused(row: int, column: int, value: object) -> None:
    position = after("tictactoe")
    saved = document(position)
    saved["nodes"][row][column] = value
    with pytest.raises(EngineError):
        SearchTree.from_json(position, json.dumps(saved))


# The entries of `history` are an index below 16384, a sum of rewards and a number of visits.
@pytest.mark.slow
@each_case(
    "memory",
    [
        None,
        {},
        {"random": 1, "scale": 0.0, "history": [[16384, 0.0, 1]]},
        {"random": 1, "scale": 0.0, "history": [[-1, 0.0, 1]]},
        {"random": 1, "scale": 0.0, "history": [[0, 5.0, 1]]},
        {"random": 1, "scale": 0.0, "history": [[0, 0.0, -1]]},
        {"random": 1, "scale": 0.0, "history": [[0, float("nan"), 1]]},
        {"random": 1, "scale": 0.0, "history": [[0, 0.0]]},
        {"random": 1, "scale": 0.0, "history": 7},
        {"random": 1, "scale": float("inf"), "history": []},
        {"random": 1, "scale": -1.0, "history": []},
        {"random": -1, "scale": 0.0, "history": []},
        {"random": 2**64, "scale": 0.0, "history": []},
        {"random": "x", "scale": 0.0, "history": []},
    ],
)
def test_invalid_memory_is_refused(memory: object) -> None:
    position = after("tictactoe")
    with pytest.raises(EngineError):
        SearchTree.from_json(position, json.dumps({**document(position), "memory": memory}))


def test_a_tree_of_version_1_is_read() -> None:
    position = after("tictactoe")
    saved = {**document(position), "version": 1}
    del saved["memory"]
    assert SearchTree.from_json(position, json.dumps(saved)).root.visits == 60


@each_case(
    "change",
    [
        {"format": "other"},
        {"version": 3},
        {"nodes": []},
        {"nodes": [[0, 0]]},
        {"nodes": 7},
        {"nodes": None},
    ],
)
def test_other_documents_are_refused(change: dict[str, object]) -> None:
    position = after("tictactoe")
    with pytest.raises(EngineError):
        SearchTree.from_json(position, json.dumps({**document(position), **change}))
    for text in ("", "[]", "7", '"nodes"', "{}"):
        with pytest.raises(EngineError):
            SearchTree.from_json(position, text)


def test_tree_larger_than_the_limit_is_refused() -> None:
    position = after("tictactoe")
    with pytest.raises(EngineError):
        SearchTree.from_json(position, json.dumps(document(position)), most_nodes=20)


def test_nodes_with_several_parents_are_refused() -> None:
    # The two nodes of each of 20 levels have the same two children.  Nodes without a parent are
    # added, so that the number of nodes matches the numbers of children.  If the tree were
    # accepted, following a move would copy 2^20 nodes although the document has about a hundred.
    position = after("tictactoe", "b2", "a1", "a3", "c1", "b1", "b3", "a2")
    assert len(position.legal_moves) == 2
    levels = 20
    nodes = [[1, 2, 9, 0, 0, 1.0, 0.0]]
    for level in range(levels):
        first_child = 1 + 2 * (level + 1)
        nodes += [[first_child, 2, 1, 1, 0, 0.5, 0.0]] * 2
    nodes += [[0, 0, 0, 1, 0, 0.0, 0.0]] * 2
    children = sum(node[1] for node in nodes)
    nodes += [[0, 0, 0, 1, 0, 0.0, 0.0]] * int(children + 1 - len(nodes))
    saved = {**document(position), "nodes": nodes}
    with pytest.raises(EngineError):
        SearchTree.from_json(position, json.dumps(saved))


# --- reuse of trees ------------------------------------------------------------------------------


def test_subtree_of_the_moves_played_is_reused() -> None:
    position = after("breakthrough")
    engine = MctsEngine(keep=True, playouts=400, seed=1)
    position.push(engine.play(position).move)
    tree = engine.tree
    reply = tree.root.children[tree.best_index()]
    best = max(reply.children, key=lambda child: child.visits)
    visits = best.visits
    position.push(position.legal_moves[best.move_index])
    result = engine.play(position)
    assert engine.tree is tree
    assert tree.position == position
    assert tree.root.visits == visits + 400
    assert result.move in position.legal_moves


def test_tree_of_another_game_or_history_is_not_reused() -> None:
    engine = MctsEngine(keep=True, playouts=60, seed=1)
    engine.play(after("tictactoe", "b2", "a1"))
    assert engine.play(after("tictactoe", "b2", "a2")).info["playouts"] == 60
    assert engine.tree.root.visits == 60
    engine.play(after("breakthrough"))
    assert engine.tree.position.game.name == "breakthrough"
    engine.new_game()
    assert engine.tree is None


def test_trees_are_reused_over_passes_chance_and_complete_games() -> None:
    for name in ("three-dice", "reversi-6x6"):
        engine = MctsEngine(keep=True, playouts=30, seed=1)
        position = loaded(name).start()
        for _ in range(60):
            if position.result is not None:
                break
            if position.is_stuck:
                position.push_pass()
            elif position.is_chance:
                position.push(position.legal_moves[0])
            else:
                result = engine.play(position)
                assert result.move in position.legal_moves
                position.push(result.move)


def test_following_a_missing_move_raises() -> None:
    tree = grown(after("tictactoe"), 50)
    with pytest.raises(IndexError):
        tree.follow(9)
