"""The arrays of observers, and errors that say what was wrong, where, and what to do."""

from __future__ import annotations

import sys
from array import array
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy
import pytest

import forthvm
from forthvm.learn.observations import Observer
from tests.kit.games import loaded, play
from tests.kit.messages import raises
from tests.learn.positions import played


@pytest.fixture(scope="module")
def observer() -> Observer:
    return forthvm.observer(forthvm.load("tictactoe"))


def test_caller_has_the_array(observer: Observer) -> None:
    position = observer.game.start()
    rows = numpy.full((3, *observer.spec.shape), 9, dtype=numpy.float32)
    assert observer.observe(position, rows[1]).base is rows  # type: ignore[attr-defined]
    assert (rows[[0, 2]] == 9).all()
    assert (rows[1] == observer.observe(position)).all()


def test_arrays_without_numpy(observer: Observer, monkeypatch: pytest.MonkeyPatch) -> None:
    position = play(observer.game.start(), "a1")
    expected: Any = observer.observe(position)
    monkeypatch.setitem(sys.modules, "numpy", None)
    made: Any = observer.observe(position)
    assert isinstance(made, memoryview)
    assert made.tolist() == expected.tolist()
    view = memoryview(array("B", bytes(len(expected.ravel())))).cast("B", observer.spec.shape)
    observer.observe(position, view)
    assert view.tolist() == (expected * 255).tolist()
    assert observer.new_array(5, dtype="uint8").shape == (5, *observer.spec.shape)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, "must be of float32 or uint8, of the shape (5, 3, 3), not 3; observe() without one"),
        (numpy.zeros((4, 3, 3)), "not of the shape (4, 3, 3) with items 'd'; new_array() makes"),
        (numpy.zeros((4, 3, 3), "i1"), "with items 'b'; new_array() makes one"),
        (numpy.zeros((4, 9), "f4"), "not of the shape (4, 9) with items 'f'; new_array() makes"),
        (numpy.zeros((5, 3, 6), "f4")[:, :, ::2], "is not C-contiguous; new_array() makes one"),
        (memoryview(bytes(45)).cast("B", (5, 3, 3)), "is read-only; new_array() makes one"),
    ],
)
def test_wrong_arrays(observer: Observer, given: Any, message: str) -> None:  # noqa: ANN401 - wrong
    with pytest.raises(ValueError, match="array for an observation") as caught:
        observer.observe(observer.game.start(), given)
    assert message in str(caught.value)


def test_wrong_arguments(observer: Observer) -> None:
    game, position = observer.game, observer.game.start()
    with raises(ValueError, "observer.player-who-does-not-observe"):
        observer.observe(position, for_player="White")
    with raises(ValueError, "observer.unknown-player"):
        observer.information_state(position, "White")
    with raises(ValueError, "observer.unknown-player"):
        forthvm.observer(game, player="White")
    with raises(ValueError, "observer.another-game"):
        observer.observe(loaded("chess").start())
    with raises(TypeError, "observer.no-position"):
        observer.observe("a1")  # type: ignore[arg-type]
    with raises(TypeError, "observer.no-game"):
        forthvm.observer(5)  # type: ignore[arg-type]
    with raises(ValueError, "observer.view"):
        forthvm.observer(game, view="white")
    for history in (0, -1, 2000, 1.5):
        with raises(ValueError, "observer.history"):
            forthvm.observer(game, history=history)  # type: ignore[arg-type]
    for name in ("player", "internal", "spec"):
        with raises(TypeError, "observer.types"):
            forthvm.observer(game, **{name: 5})  # type: ignore[arg-type]
    given: Any = observer.new_array(dtype=numpy.uint8)
    assert given.dtype == numpy.uint8
    with raises(ValueError, "observer.type-of-numbers"):
        observer.new_array(dtype="float64")


def test_wrong_array_is_unchanged(observer: Observer) -> None:
    wrong = numpy.full((4, 9), 7, dtype=numpy.float32)
    with raises(ValueError, "observer.shape"):
        observer.observe(observer.game.start(), wrong)  # type: ignore[arg-type]
    assert (wrong == 7).all()


def test_fixed_player() -> None:
    game = forthvm.load("breakthrough")
    white, mover = forthvm.observer(game, player="White"), forthvm.observer(game)
    position = play(game.start(), "a2 - a3")
    assert (white.observe(position) == mover.observe(position, for_player="White")).all()
    assert (white.observe(position) != mover.observe(position)).any()
    assert (white.observe(position, for_player="Black") == mover.observe(position)).all()
    assert white.plans[0] is white.plans[1]
    assert mover.plans[0] is not mover.plans[1]


def test_only_contestants_have_plans() -> None:
    observer = forthvm.observer(forthvm.load("ur"))
    assert [plan is not None for plan in observer.plans] == [True, True, False]


def test_clone_uses_the_same_observer() -> None:
    game = forthvm.load("breakthrough")
    observer = forthvm.observer(game)
    other = game.clone()
    assert (observer.observe(other.start()) == observer.observe(game.start())).all()


def test_threads_use_the_same_observer() -> None:
    game = forthvm.load("ur")
    observer = forthvm.observer(game, history=3)
    positions = [position.copy() for position in played(game, 4, plies=60)]
    expected = [observer.observe(position).tobytes() for position in positions]  # type: ignore[attr-defined]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(observer.observe, positions * 5))
    assert [planes.tobytes() for planes in found] == expected * 5  # type: ignore[attr-defined]
