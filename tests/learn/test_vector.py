"""Vectors: determinism, errors, ends of games, batches, observations, arguments."""

from __future__ import annotations

import json
import os
import signal
import threading
from pathlib import Path
from typing import Any

import numpy
import pytest

import forthvm
from forthvm.core.budget import Budget
from forthvm.core.errors import ActionError, ForthVMError
from forthvm.engines.position_arrays import random_playouts
from forthvm.learn.vector import Vector
from tests.kit.boards import drops, grid
from tests.kit.cases import each_case
from tests.kit.games import load_text
from tests.kit.messages import raises

ARRAYS = ("masks", "movers", "legal_counts", "plies", "rewards", "done", "truncated")

FAULTY = grid(3, 1, players="A B") + drops("stone")
FAULTY += """\
: OnIsGameOver ( -- n ) a1 not-empty-at? a2 not-empty-at? AND IF 1 0 / ENDIF #UnknownScore ;
"""


# The board ends with an array of two bytes.
BYTES = grid(3, 3, "n", more="3 {carray} small {variable} big 2 {carray} last")
BYTES += """\
: count ( -- ) 1 small DUP C@ 1+ SWAP C! big @ 100 + big ! -7 1 last C! ;
: step n verify from here move COMPILE count add-move ;
{moves ms {move} step moves}
{pieces {piece} man {moves} ms pieces}
{board-setup {setup} White man a1 {setup} Black man b1 board-setup}
"""


def arrays_of(envs: Vector, rows: slice = slice(None)) -> list[list[object]]:
    return [getattr(envs, name)[rows].tolist() for name in ARRAYS]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["breakthrough", "ur", "tictactoe"])
def test_rows_do_not_depend_on_other_rows_or_threads(name: str) -> None:
    game = forthvm.load(name)
    many, two, one = (
        forthvm.vector(game, n, seed=5, threads=threads)
        for n, threads in ((64, 1), (64, 2), (1, 1))
    )
    for _ in range(12):
        actions = many.sample()
        assert actions.tolist() == two.sample().tolist()
        assert actions[:1].tolist() == one.sample().tolist()
        many.step(actions)
        two.step(actions)
        one.step(actions[:1])
        assert arrays_of(many) == arrays_of(two)
        assert arrays_of(many, slice(1)) == arrays_of(one)
    assert many.playouts(3).tolist() == two.playouts(3).tolist()
    assert many.playouts(3)[:1].tolist() == one.playouts(3).tolist()
    assert many.evaluate().tolist() == two.evaluate().tolist()
    before = arrays_of(many)
    many.reset(6)
    assert arrays_of(many) != before
    for envs in (many, two):
        envs.reset(5)
    assert arrays_of(many) == arrays_of(two)


def test_same_rows_with_limits() -> None:
    plain = forthvm.vector("breakthrough", 4, seed=2)
    limited_game = forthvm.load("breakthrough", budget=Budget(steps=10_000_000))
    limited = forthvm.vector(limited_game, 4, seed=2)
    for _ in range(40):
        actions = plain.sample()
        plain.step(actions)
        limited.step(actions)
        assert arrays_of(plain) == arrays_of(limited)


def test_an_illegal_action_changes_nothing() -> None:
    envs = forthvm.vector("tictactoe", 3, seed=1)
    envs.step([0, 1, 2])
    before = arrays_of(envs)
    with raises(ActionError, "vector.illegal-action-of-a-row"):
        envs.step([1, 1, 1])
    with raises(ActionError, "vector.unknown-action-of-a-row"):
        envs.step([1, 2, 9])
    with raises(ActionError, "vector.negative-action"):
        envs.step([-1, 2, 3])
    for wrong in ([1, 2], [[1, 2, 3]], [1.0, 2.0, 3.0]):
        with raises(ValueError, "vector.shape-of-actions"):
            envs.step(wrong)
    assert arrays_of(envs) == before
    envs.step([1, 2, 1])
    assert envs.plies.tolist() == [2, 2, 2]


def test_ends_of_games() -> None:
    envs = forthvm.vector("tictactoe", 2, seed=1)
    first = envs.masks.copy()
    for actions in ([0, 0], [3, 1], [1, 2], [4, 4]):
        envs.step(actions)
        assert envs.rewards.tolist() == [[0, 0], [0, 0]]
    envs.step([2, 3])  # the first row: three in a row
    assert envs.contestants == ("X", "O")
    assert (envs.done.tolist(), envs.rewards.tolist()) == ([1, 0], [[1, -1], [0, 0]])
    assert envs.plies.tolist() == [0, 5]
    assert (envs.masks[0] == first[0]).all()
    envs.step([8, 5])
    assert (envs.done.tolist(), envs.rewards.tolist()) == ([0, 0], [[0, 0], [0, 0]])
    assert envs.plies.tolist() == [1, 6]


def test_truncated_games() -> None:
    envs = forthvm.vector("breakthrough", 2, seed=1, max_plies=3)
    for expected in (0, 0, 1, 0):
        envs.step(envs.sample())
        assert envs.truncated.tolist() == [expected] * 2
        assert envs.done.tolist() == [0, 0]
        assert not envs.rewards.any()
    assert envs.plies.tolist() == [1, 1]


def test_starts() -> None:
    game = forthvm.load("tictactoe")
    starts = [game.start(), game.start()]
    starts[1].push("b2")
    envs = forthvm.vector(game, 3, starts=starts)
    assert envs.masks.sum(axis=1).tolist() == [9, 8, 9]
    envs.restart(0)
    assert envs.masks.sum(axis=1).tolist() == [8, 8, 9]
    assert envs.position(0).legal_moves.texts == starts[1].legal_moves.texts
    decided = game.start(setup=[("X", "mark", square) for square in ("a1", "b1", "c1")], turn="O")
    if decided.result is not None:
        with raises(ValueError, "vector.decided-start"):
            forthvm.vector(game, 1, starts=[decided])
    with raises(ValueError, "vector.starts-of-another-game"):
        forthvm.vector(forthvm.load("tictactoe"), 1, starts=starts)


PAIR = grid(3, 1, players="A B") + drops("stone", "gem")


def with_form(tmp_path: Path, **form: object) -> forthvm.Game:
    """Return a game whose numbers have a form that does not fit all moves."""
    game = load_text(tmp_path, PAIR, name="pair.4th")
    document = json.loads(game.actions.to_json())
    document["forms"] |= form
    game.actions.use_json(json.dumps(document | {"spare": 0}))
    return game


def test_an_error_of_the_script(tmp_path: Path) -> None:
    game = load_text(tmp_path, FAULTY, name="faulty.4th")
    game.actions.renumber(games=1, plies=1)
    envs = forthvm.vector(game, 20, threads=2, starts=[game.start()])
    names = [game.actions.text(action) for action in range(3)]
    a1, a2, a3 = (names.index(name) for name in ("a1", "a2", "a3"))
    envs.step([a3, a1] + [a3] * 18)
    before = arrays_of(envs)
    with raises(ForthVMError, "vector.failing-script") as caught:
        envs.step([a1, a2] + [a1] * 18)
    assert caught.value.location is not None
    assert "faulty.4th" in str(caught.value)
    assert caught.value.__notes__ == [
        f"in row 1 of <Vector of 20 positions of faulty>, after the action {a2} (a2)"
    ]
    assert arrays_of(envs) == before
    envs.step([a1, a3] + [a1] * 18)
    envs.restart(1)
    assert envs.plies.tolist() == [2, 0] + [2] * 18


def test_moves_without_a_number_are_masked_and_counted(tmp_path: Path) -> None:
    game = with_form(tmp_path, place={"squares": 3, "types": ["stone"], "choices": 1})
    message = "a legal move like 'gem a3' has no action number.*renumber"
    with pytest.warns(RuntimeWarning, match=message) as caught:
        envs = forthvm.vector(game, 3, seed=1)
    assert envs.legal_counts.tolist() == [6] * 3
    assert envs.masks.sum(axis=1).tolist() == [3] * 3
    for _ in range(20):
        envs.step(envs.sample())
    assert len(caught) == 1
    assert game.actions.unnumbered > 60


def test_a_player_without_numbered_moves_has_an_action(tmp_path: Path) -> None:
    nothing = {"squares": 0, "types": [], "choices": 0}
    passes = {"squares": 1, "types": [], "choices": 1}
    game = with_form(tmp_path, place=nothing, other=passes)
    with pytest.warns(RuntimeWarning, match="has no action number"):
        envs = forthvm.vector(game, 2)
    for _ in range(9):
        assert envs.masks.tolist() == [[1], [1]]
        envs.step([0, 0])


def test_playouts_and_evaluations() -> None:
    game = forthvm.load("tictactoe")
    envs = forthvm.vector(game, 2, seed=3)
    envs.step([0, 4])
    before = arrays_of(envs)
    returns = envs.playouts(2000)
    assert arrays_of(envs) == before
    for row in range(2):
        rewards = random_playouts(envs.position(row), 2000)
        for column, name in enumerate(envs.contestants):
            assert abs(returns[row, column] - (2 * rewards[name] - 1)) < 0.1
    assert returns.sum(axis=1).tolist() == pytest.approx([0, 0], abs=1e-5)
    assert (envs.playouts(9, seed=1) != envs.playouts(9, seed=2)).any()
    with raises(ValueError, "vector.no-playouts"):
        envs.playouts(0)


def test_evaluate() -> None:
    game = forthvm.load("splut-duel")
    game.actions.renumber(games=5)
    envs = forthvm.vector(game, 3, seed=3)
    values = envs.evaluate()
    assert values.dtype == numpy.int32
    for row in range(3):
        position = envs.position(row)
        with position._in_memory():
            expected = game._loaded.vm.call("OnEvaluate")[-1]
        assert values[row, envs.contestants.index(position.turn)] == expected


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("name", "history"),
    [("breakthrough", 1), ("breakthrough", 3), ("tictactoe", 70), ("ur", 2)],
)
def test_observations(name: str, history: int) -> None:
    game = forthvm.load(name)
    observer = forthvm.observer(game, history=history)
    envs = forthvm.vector(game, 3, seed=8, observer=observer)
    for _ in range(40):
        for row in range(3):
            expected = numpy.asarray(observer.observe(envs.position(row)))
            assert (envs.observations[row] == expected).all()
        envs.step(envs.sample())
    before = envs.observations.copy()
    with pytest.raises(ActionError):
        envs.step([-1, 0, 0])
    assert (envs.observations == before).all()
    with raises(ValueError, "vector.observer-of-another-game"):
        forthvm.vector(forthvm.load(name), 1, observer=observer)


def test_observations_of_boards_that_end_inside_a_cell(tmp_path: Path) -> None:
    game = load_text(tmp_path, BYTES, name="bytes.4th")
    observer = forthvm.observer(game, history=3)
    envs = forthvm.vector(game, 1, observer=observer)
    for _ in range(2):
        expected = numpy.asarray(observer.observe(envs.position(0)))
        assert (envs.observations[0] == expected).all()
        envs.step(envs.sample())


@pytest.mark.parametrize("steps", [0, 2])
def test_an_interrupt_before_the_step_begins_changes_nothing(
    steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    envs = forthvm.vector("tictactoe", 1)
    for action in range(steps):
        envs.step([action])
    before = arrays_of(envs)

    def interrupted() -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(envs._blocks[0].rows._native, "_begin", interrupted)
        with pytest.raises(KeyboardInterrupt):
            envs.step([8])
    assert arrays_of(envs) == before
    envs.step(envs.sample())
    assert envs.plies.tolist() == [steps + 1]


# The game that begins with two men on the board never ends its move.
LOOP = grid(1, 4, players="A B") + drops("c")
LOOP += """\
: filled? ( pos -- flag ) empty-at? 0= ;
: OnIsGameOver ( -- score ) a1 filled? d1 filled? AND IF BEGIN 0 UNTIL ENDIF #UnknownScore ;
"""


@pytest.mark.slow
def test_one_interrupt_ends_the_runs_of_all_threads(tmp_path: Path) -> None:
    script = tmp_path / "loop.4th"
    script.write_text(LOOP.replace("BEGIN 0 UNTIL", ""), encoding="utf-8")
    actions = forthvm.load(script).actions
    actions.save(tmp_path / "loop.actions.json")
    script.write_text(LOOP, encoding="utf-8")
    envs = forthvm.vector(forthvm.load(script), 48, threads=3)
    envs.step([0] * 48)
    before = arrays_of(envs)
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        envs.step([3] * 48)
    timer.join()
    assert arrays_of(envs) == before
    envs.step([1] * 48)


def test_numbers_beyond_32_bits_are_illegal() -> None:
    envs = forthvm.vector("tictactoe", 1)
    for action in (4 + 2**32, -(2**32) + 4, 2**63 - 1):
        with raises(ActionError, "vector.no-such-action", action=action):
            envs.step([action])
    with raises(ActionError, "vector.unknown-action"):
        envs.step(numpy.array([2**63], dtype=numpy.uint64))
    assert envs.plies.tolist() == [0]


def test_an_illegal_action_clears_the_ends_of_the_last_step() -> None:
    envs = forthvm.vector("tictactoe", 1)
    for action in (0, 3, 1, 4, 2):
        envs.step([action])
    assert envs.done.tolist() == [1]
    with pytest.raises(ActionError):
        envs.step([99])
    assert (envs.done.tolist(), envs.rewards.tolist()) == ([0], [[0.0, 0.0]])


def test_a_closed_vector_says_so() -> None:
    envs = forthvm.vector("tictactoe", 2)
    envs.close()
    for use in (envs.sample, envs.reset, lambda: envs.step([0, 0]), lambda: envs.position(0)):
        with raises(ValueError, "vector.closed"):
            use()


def test_samples() -> None:
    envs = forthvm.vector("breakthrough", 5, seed=1)
    first, second = envs.sample(), envs.sample()
    assert (first != second).any()
    assert (envs.sample(7) == envs.sample(7)).all()
    assert all(envs.masks[row, action] for row, action in enumerate(first))


@pytest.mark.parametrize("options", [{"n": 0}, {"n": 1, "threads": 0}, {"n": 1, "max_plies": 0}])
def test_wrong_arguments(options: dict[str, int]) -> None:
    with raises(ValueError, "vector.no-rows"):
        forthvm.vector("tictactoe", **options)


def test_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "numpy", None)
    with raises(ForthVMError, "vector.needs-numpy") as caught:
        forthvm.vector("tictactoe", 1)
    assert caught.value.hints == ("install it: pip install 'forthvm[learn]'",)


@each_case(
    "options",
    [{"seed": None}, {"n": "2"}, {"n": 2.5}, {"threads": "2"}, {"observer": True}, {"starts": 3}],
    ids=str,
)
def test_arguments_of_other_types_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r"integer|an observer|a list"):
        forthvm.vector("tictactoe", **{"n": 2, **options})
