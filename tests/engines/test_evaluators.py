"""Evaluators in Python replace OnEvaluate exactly, and cannot change the game."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from forthvm import engines
from forthvm.core.errors import ContextError, ForthVMError
from forthvm.engines import EngineError, EngineOptionError, EvaluatorError
from forthvm.engines.evaluator import EvaluationView
from forthvm.game import Position
from tests.engines.reference import NEAR_WIN, Budget, MaxN, Node, Rules, TwoSides, late_positions
from tests.engines.test_search_against_minimax import FEATURES, spec
from tests.kit.cases import each_case
from tests.kit.games import load_text, loaded, play
from tests.kit.messages import raises

MODULUS = 2654435761


def value_of_cells(cells: tuple[int, ...], player: int) -> int:
    """Return a number that depends on every cell and on the player."""
    value = 17 * player
    for at, cell in enumerate(cells):
        value = (value * 31 + cell * (at + 1)) % MODULUS
    return value % 2001 - 1000


def judge(view: EvaluationView) -> int:
    return value_of_cells(tuple(view.cells), view.player_index)


class EvaluatedNode(Node):
    """A position that is evaluated by `value_of_cells` instead of OnEvaluate."""

    def evaluation(self, player: str | None = None) -> int:
        game = self.position.game
        index = self.position.player_index if player is None else game.players.index(player)
        return value_of_cells(self.position.cells, index)

    @property
    def children(self) -> list[Node]:  # type: ignore[override]
        nodes: list[Node] | None = self.__dict__.get("nodes")
        if nodes is None:
            nodes = [
                EvaluatedNode(child.position, self.budget, child.ply)
                for child in Node(self.position, self.budget, self.ply).children
            ]
            self.__dict__["nodes"] = nodes
        return nodes


@pytest.mark.sampled(9)
@pytest.mark.parametrize("name", ["draughts", "breakthrough", "two-and-one", "two-dice"])
@pytest.mark.parametrize("features", [(), FEATURES[:-2]])
def test_evaluator_is_called_in_place_of_the_script(name: str, features: tuple[str, ...]) -> None:
    for position in late_positions(loaded(name).start(), 3, max_turns=10)[:3]:
        values = TwoSides(EvaluatedNode(position, Budget(60_000)), Rules()).move_values(2)
        engine = engines.get(f"negamax:depth=2,{spec(*features)}", evaluator=judge)
        result = engine.play(position)
        assert result.score == max(values)
        assert values[result.move.index] == max(values)


@pytest.mark.parametrize("engine", ["paranoid", "maxn"])
def test_evaluator_with_more_than_two_players(engine: str) -> None:
    for position in late_positions(loaded("three-dice").start(), 3)[:3]:
        root = EvaluatedNode(position, Budget(60_000))
        if engine == "maxn":
            values = MaxN(root, Rules()).move_values(2)
            best = max(value[root.viewer] for value in values)
        else:
            best = max(TwoSides(root, Rules()).move_values(2))
        result = engines.get(f"{engine}:depth=2,{spec()}", evaluator=judge).play(position)
        assert result.score == best


def test_view_has_the_data_of_the_position() -> None:
    position = loaded("tictactoe").start()
    views: list[tuple[str, int, tuple[int, ...]]] = []

    def evaluator(view: EvaluationView) -> int:
        assert view.game is position.game
        views.append((view.turn, view.player_index, tuple(view.cells)))
        return 0

    engines.get("negamax:depth=1", evaluator=evaluator).play(position)
    assert len(views) == 9
    assert {turn for turn, _, _ in views} == {"O"}
    assert {index for _, index, _ in views} == {1}
    boards = set()
    for move in list(position.legal_moves):
        position.push(move)
        boards.add(position.cells)
        position.pop()
    assert {cells for _, _, cells in views} == boards


def test_view_has_the_same_array_in_all_calls() -> None:
    arrays: list[memoryview] = []
    boards = set()

    def evaluator(view: EvaluationView) -> int:
        arrays.append(view.cells)
        boards.add(tuple(arrays[0]))
        return 0

    position = loaded("tictactoe").start()
    engines.get("negamax:depth=1", evaluator=evaluator).play(position)
    assert all(array is arrays[0] for array in arrays)
    assert len(boards) == 9  # the cells of each evaluated position
    position.push(position.legal_moves[0])
    assert tuple(arrays[0]) in boards  # a reference to the array stays valid


def test_view_distinguishes_mover_and_evaluated_player() -> None:
    """Max^n evaluates each position for every player, not only for the player to move."""
    position = play(loaded("three-dice").start(), "= two")
    views = set()

    def evaluator(view: EvaluationView) -> int:
        assert view.game.turn_order[view.turn_index].player == view.mover
        views.add((view.turn, view.mover, view.turn_index, view.turn_number))
        return 0

    engines.get("maxn:depth=1", evaluator=evaluator).play(position)
    # After Ann's move, the die is thrown for Bob.  The positions after the throws are evaluated for
    # each of the three players.
    evaluated = position.copy()
    for _ in range(2):
        evaluated.push(evaluated.legal_moves[0])
    turn = evaluated._turn_index, evaluated.turn_number
    assert views == {(name, "Bob", *turn) for name in ("Ann", "Bob", "Cid")}


def test_evaluator_for_a_script_without_evaluation(tmp_path: Path) -> None:
    position = load_text(
        tmp_path,
        r"""
{board 1 4 {grid} board}
{players {player} X {player} O players}
{turn-order {turn} X {turn} O turn-order}
: put ( -- ) empty? verify drop add-move ;
{moves puts {move} put moves}
{pieces {piece} mark {drops} puts pieces}
""",
        name="plain.4th",
    ).start()

    def prefers_the_third_square(view: EvaluationView) -> int:
        return -view.cells[2]

    result = engines.get("negamax:depth=1", evaluator=prefers_the_third_square).play(position)
    assert str(result.move).endswith("c1")


def test_large_numbers_are_not_wins() -> None:
    position = loaded("breakthrough").start()
    for huge in (10**30, -(10**30)):
        engine = engines.get("negamax:depth=1", evaluator=lambda _, huge=huge: huge)
        assert abs(engine.play(position).score) == NEAR_WIN


class IndexOnly:
    """Has `__index__` but is not an integer."""

    def __index__(self) -> int:
        return 7


def test_objects_with_index_are_accepted() -> None:
    position = loaded("breakthrough").start()
    assert engines.get("negamax:depth=2", evaluator=lambda _: IndexOnly()).play(position).score == 7


class FailingIndex:
    """Fails in `__index__` and in `__repr__`."""

    def __index__(self) -> int:
        raise ValueError("not today")

    def __repr__(self) -> str:
        raise ValueError("no repr either")


@pytest.mark.sampled(13)
@pytest.mark.parametrize("engine", ["negamax:depth=3", "maxn:depth=2", "brs:depth=2"])
@pytest.mark.parametrize(
    "returned",
    [None, "9", 1.5, float("nan"), float("inf"), True, (1, 2), [3], FailingIndex(), b"1"],
)
def test_results_that_are_not_numbers_raise(engine: str, returned: object) -> None:
    position = loaded("breakthrough").start()
    before = position.copy()
    with pytest.raises(EvaluatorError, match="not an integer"):
        engines.get(engine, evaluator=lambda _: returned).play(position)
    check_unchanged(position, before)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["negamax:depth=3", "maxn:depth=2", "brs:depth=2"])
@pytest.mark.parametrize("after", [0, 1, 25])
def test_exception_is_reported_with_evaluator_engine_and_ply(engine: str, after: int) -> None:
    position = loaded("breakthrough").start()
    for _ in range(4):
        position.push(position.legal_moves[0])
    before = position.copy()
    calls = 0

    def fails(view: EvaluationView) -> int:
        nonlocal calls
        calls += 1
        if calls > after:
            raise ZeroDivisionError("in an evaluator")
        return 0

    with raises(EvaluatorError, "evaluators.failing-evaluator") as caught:
        engines.get(engine, evaluator=fails).play(position)
    error = caught.value
    assert isinstance(error, EngineError)
    assert isinstance(error.__cause__, ZeroDivisionError)
    assert error.evaluator.endswith("fails")
    assert 'raise ZeroDivisionError("in an evaluator")' in error.report()  # the line in Python
    assert "test_evaluators.py" in error.report()
    check_unchanged(position, before)
    calls = 0
    with pytest.raises(EvaluatorError, match=rf"engine '{engine[:3]}.*at ply 4, failed: Zero"):
        engines.choose_move(engines.get(engine, evaluator=fails), position)
    calls = 0
    analysis = engines.analyse(engines.get(engine, evaluator=fails), position)
    with pytest.raises(EvaluatorError, match=rf"engine '{engine[:3]}.*at ply 4, failed: Zero"):
        list(analysis)
    check_unchanged(position, before)


def pushes(position: Position) -> object:
    position.push(position.legal_moves[0])
    return None


def calls_an_engine(position: Position) -> object:
    return engines.get("negamax:depth=1").play(position)


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    "action",
    [
        pushes,
        calls_an_engine,
        lambda position: position.game.start(),
        lambda position: position.seed(3),
        lambda position: engines.random_playouts(position, 3),
        lambda position: (
            engines.choose_move(engines.get("random"), position.copy()) and position.key
        ),
        lambda position: engines.SearchTree(position).position.key,
    ],
)
def test_using_the_game_in_an_evaluator_is_refused(action: Callable[[Position], object]) -> None:
    """The VM is in a search.  An evaluator that ignores the error does not disturb the search."""
    position = loaded("breakthrough").start()
    before = position.copy()
    with raises(EvaluatorError, "evaluators.using-the-game-in-an-evaluator") as caught:
        engines.get("negamax:depth=2", evaluator=lambda _: action(position) and 0).play(position)
    assert isinstance(caught.value.__cause__, ContextError)
    check_unchanged(position, before)

    def ignores_error(view: EvaluationView) -> int:
        with suppress(ForthVMError):
            action(position)
        return judge(view)

    results = [
        engines.get("negamax:depth=2", evaluator=function).play(position)
        for function in (ignores_error, judge)
    ]
    assert results[0].score == results[1].score
    assert results[0].pv == results[1].pv
    check_unchanged(position, before)


def test_calling_the_same_engine_in_an_evaluator_is_refused() -> None:
    position = loaded("breakthrough").start()
    before = position.copy()
    running: list[engines.Engine] = []
    running.append(
        engines.get("negamax:depth=2", evaluator=lambda _: running[0].play(position).score)
    )
    with raises(EvaluatorError, "evaluators.calling-the-same-engine"):
        running[0].play(position)
    check_unchanged(position, before)


def test_ctrl_c_in_an_evaluator_is_raised_unchanged() -> None:
    position = loaded("breakthrough").start()
    before = position.copy()

    def interrupted(view: EvaluationView) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engines.get("negamax:depth=2", evaluator=interrupted).play(position)
    check_unchanged(position, before)


def test_evaluator_error_can_be_pickled() -> None:
    error = EvaluatorError("judge", "failed: ValueError", "in judge, a.py:1")
    error.set_context("negamax", 7)
    loaded_error = pickle.loads(pickle.dumps(error))
    assert str(loaded_error) == str(error)
    context = loaded_error.evaluator, loaded_error.engine, loaded_error.ply
    assert context == ("judge", "negamax", 7)


def check_unchanged(position: Position, before: Position) -> None:
    """Check that a position equals an earlier copy, and can be searched and moved on."""
    assert position == before
    assert engines.get("negamax:depth=2").play(position).move in position.legal_moves
    position.push(position.legal_moves[0])
    position.pop()
    assert position == before


def test_script_evaluates_again_after_a_search_with_an_evaluator() -> None:
    position = loaded("breakthrough").start()
    script_score = engines.get("negamax:depth=2").play(position).score
    engines.get("negamax:depth=2", evaluator=judge).play(position)
    assert engines.get("negamax:depth=2").play(position).score == script_score


def test_evaluator_by_name() -> None:
    position = loaded("breakthrough").start()
    by_name = engines.get("negamax:depth=2,evaluator=tests.engines.test_evaluators:judge").play(
        position
    )
    by_function = engines.get("negamax:depth=2", evaluator=judge).play(position)
    assert (by_name.score, by_name.pv) == (by_function.score, by_function.pv)


@each_case("evaluator", [7, "math:no_such", "no.such.module:f", "math"])
def test_invalid_evaluators_are_refused(evaluator: object) -> None:
    with pytest.raises(EngineOptionError):
        engines.get("negamax", evaluator=evaluator)


def test_evaluator_needs_one_thread() -> None:
    with raises(EngineOptionError, "evaluators.evaluator-needs-one-thread"):
        engines.get("negamax:threads=2", evaluator=judge)
