"""Pickling and copying: the results are equal, also in other processes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

import forthvm
from forthvm.engines import (
    Engine,
    Info,
    Limits,
    MctsEngine,
    SearchResult,
    SearchTree,
    choose_move,
    get,
)
from forthvm.game import Game, Move, Position
from tests.kit.cases import each_case
from tests.kit.messages import raises

GAMES = ("breakthrough", "splut", "draughts", "ur", "chess")


@pytest.fixture(scope="module")
def another_process() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        yield pool


def after_five_moves(name: str) -> Position:
    """Return a position after five moves, each the last of its list."""
    position = forthvm.load(name).start()
    for _ in range(5):
        position.push(position.legal_moves[-1])
    return position


@each_case("name", GAMES)
def test_unpickled_moves_are_equal(name: str) -> None:
    position = after_five_moves(name)
    for move in position.legal_moves:
        unpickled = pickle.loads(pickle.dumps(move))
        assert unpickled == move
        assert hash(unpickled) == hash(move)
        for attribute in ("text", "index", "type", "changes", "parts", "captures", "is_partial"):
            assert getattr(unpickled, attribute) == getattr(move, attribute)
        assert (str(unpickled), repr(unpickled)) == (str(move), repr(move))


def test_different_moves_differ_after_unpickling() -> None:
    moves = [
        pickle.loads(pickle.dumps(move)) for move in after_five_moves("breakthrough").legal_moves
    ]
    assert all(
        (first == second) == (a == b)
        for a, first in enumerate(moves)
        for b, second in enumerate(moves)
    )


def test_an_unpickled_move_can_be_made() -> None:
    position = after_five_moves("draughts")
    twin = position.copy()
    move = position.legal_moves[-1]
    position.push(pickle.loads(pickle.dumps(move)))
    twin.push(move)
    assert position == twin
    with pytest.raises(forthvm.IllegalMoveError):
        position.push(pickle.loads(pickle.dumps(move)))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_copies_of_immutable_values_are_the_same_objects(duplicate: type) -> None:
    position = after_five_moves("splut")
    for value in (position.game, position.legal_moves, position.legal_moves[0], position.variables):
        assert duplicate(value) is value
    result = get("negamax:depth=2").play(position)
    assert duplicate(result) == result
    clone = position.game.clone()
    assert duplicate(clone) is clone
    twin = duplicate(position)
    assert twin == position
    twin.push(twin.legal_moves[0])
    assert twin != position


def test_lists_and_variables_are_pickled_as_plain_values() -> None:
    position = after_five_moves("splut")
    assert pickle.loads(pickle.dumps(position.legal_moves)) == tuple(position.legal_moves)
    assert pickle.loads(pickle.dumps(position.variables)) == dict(position.variables)


@each_case("engine", ["negamax:depth=2,lines=2", "mcts:seed=1", "axiom", "random"])
def test_unpickled_results_are_equal(engine: str) -> None:
    result = get(engine).play(after_five_moves("breakthrough"), Limits(nodes=200))
    assert pickle.loads(pickle.dumps(result)) == result


@pytest.mark.slow
def test_values_are_equal_after_another_process_unpickled_them(
    another_process: ProcessPoolExecutor,
) -> None:
    position = after_five_moves("chess")
    result = get("negamax:depth=2").play(position)
    values: list[object] = [
        *position.legal_moves,
        result,
        Info(best="a", score=1, pv=("a", "b"), time=0.5),
        Limits(time=1.0),
        position,
        position.history,
        forthvm.load("tictactoe").player_details,
    ]
    returned = another_process.submit(copy.copy, values).result()
    assert returned == values
    returned_game: Game = another_process.submit(copy.copy, position.game).result()
    assert returned_game._loaded.identity == position.game._loaded.identity


def test_an_engine_can_run_in_another_process(another_process: ProcessPoolExecutor) -> None:
    position = after_five_moves("breakthrough")
    result = another_process.submit(choose_move, get("random"), position).result()
    assert isinstance(result, SearchResult)
    assert isinstance(result.move, Move)
    assert result.move in position.legal_moves
    position.push(result.move)


@each_case("duplicate", [pickle.dumps, copy.copy, copy.deepcopy])
@each_case("engine", ["negamax", "maxn", "axiom", "script", "mcts"])
def test_native_engines_cannot_be_copied(
    engine: str, duplicate: Callable[[Engine], object]
) -> None:
    with raises(TypeError, "pickling.create-another-by-engines"):
        duplicate(get(engine))


def test_unpickled_trees_can_grow() -> None:
    engine = MctsEngine(seed=1)
    tree = SearchTree(forthvm.load("tictactoe").start())
    engine.grow(tree, Limits(nodes=50))
    unpickled = pickle.loads(pickle.dumps(tree))
    assert unpickled.to_json() == tree.to_json()
    for grown in (tree, unpickled):
        engine.grow(grown, Limits(nodes=50))
    assert unpickled.to_json() == tree.to_json()
