"""Engines by name, by module and as objects, and the checks of their results."""

from __future__ import annotations

from importlib import metadata

import pytest

from forthvm import engines
from forthvm.engines import EngineError, EngineOptionError, Limits, UnknownEngineError
from forthvm.game import Position
from tests.engines import samples
from tests.kit.cases import each_case
from tests.kit.games import play
from tests.kit.messages import raises


@pytest.mark.parametrize("name", ["axiom", "first", "random", "script", "negamax", "chance"])
def test_built_in_engines_are_found_and_play(name: str, start: Position) -> None:
    result = engines.choose_move(engines.get(name), start, Limits(depth=1))
    assert result.move in start.legal_moves
    assert result.pv[0] == result.move
    assert result.time >= 0
    assert start.ply == 0


def test_names_describes_every_built_in_engine() -> None:
    assert set(engines.names()) >= {"axiom", "first", "random", "script", "negamax", "chance"}
    assert all(engines.names().values())


@each_case(
    ("spec", "hint"),
    [
        ("axoim", "did you mean 'axiom'"),
        ("", "engines:"),
        ("no.such.module:Class", "no"),
        ("tests.engines.samples:Missing", "Missing"),
        ("tests.engines.samples:NOT_AN_ENGINE", "neither"),
        (":Class", "Class"),
    ],
)
def test_invalid_engines_are_refused(spec: str, hint: str) -> None:
    with pytest.raises(UnknownEngineError, match=hint):
        engines.get(spec)


@each_case(
    "spec",
    [
        "axiom:depth=0",
        "axiom:depth=x",
        "axiom:variety=11",
        "axiom:seed=1",
        "first:depth=1",
        "random:seed=x",
        "tests.engines.samples:Last:fast=1",
        "tests.engines.samples:ENGINE_OBJECT:offset=1",
    ],
)
def test_invalid_options_are_refused(spec: str) -> None:
    with pytest.raises(EngineOptionError):
        engines.get(spec)


def test_first_plays_the_first_move(start: Position) -> None:
    assert engines.get("first").play(start).move == start.legal_moves[0]


def test_random_is_reproducible_with_a_seed(start: Position) -> None:
    def random_moves(seed: int) -> list[str]:
        engine = engines.get("random", seed=seed)
        return [str(engine.play(start).move) for _ in range(20)]

    assert random_moves(1) == random_moves(1)
    assert random_moves(1) != random_moves(2)
    assert len(set(random_moves(1))) > 3


def test_options_in_a_specification_take_precedence() -> None:
    assert engines.get("tests.engines.samples:Last:offset=2", offset=1)._inner.offset == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("engine", "index"),
    [
        ("tests.engines.samples:Last", -1),
        ("tests.engines.samples:Last:offset=2", -3),
        ("tests.engines.samples:ENGINE_OBJECT", -1),
        ("tests.engines.samples:ReturnsText", 1),
        (samples.Last, -1),
        (samples.Last(), -1),
    ],
)
def test_engines_by_module_class_and_object(engine: object, index: int, start: Position) -> None:
    result = engines.choose_move(engines.get(engine), start)
    assert result.move == start.legal_moves[index]


@pytest.mark.parametrize("value", [7, object(), samples.NOT_AN_ENGINE])
def test_objects_without_play_are_refused(value: object) -> None:
    with raises(EngineError, "registry.no-method-play"):
        engines.get(value)


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        (samples.ReturnsIllegalText(), "'resign'.*not a legal move"),
        (samples.ReturnsForeignMove(), "not a legal move"),
        (samples.Raises(), "in an evaluator"),
    ],
)
def test_invalid_results_raise_and_keep_the_game(
    engine: object, message: str, start: Position
) -> None:
    before = start.copy()
    with pytest.raises(EngineError, match=message):
        engines.choose_move(engines.get(engine), start)
    assert start == before
    assert start.ply == 0


def test_engine_cannot_change_the_game(start: Position) -> None:
    result = engines.choose_move(engines.get(samples.LeavesMovePushed()), start)
    assert start.ply == 0
    start.push(result.move)
    assert start.ply == 1


def test_decided_position_is_refused(start: Position) -> None:
    play(start, "a1", "a2", "b1", "b2", "c1")
    for name in ("axiom", "first", "random", "script"):
        with raises(EngineError, "registry.decided-position"):
            engines.get(name).play(start)


def test_engines_of_entry_points_are_found(
    monkeypatch: pytest.MonkeyPatch, start: Position
) -> None:
    def entry_points(*, group: str) -> list[metadata.EntryPoint]:
        assert group == "forthvm.engines"
        return [
            metadata.EntryPoint("last", "tests.engines.samples:Last", group),
            metadata.EntryPoint("gone", "tests.engines.samples:Gone", group),
        ]

    monkeypatch.setattr(metadata, "entry_points", entry_points)
    assert "last" in engines.names()
    assert engines.choose_move(engines.get("last:offset=1"), start).move == start.legal_moves[-2]
    with raises(UnknownEngineError, "registry.does-not-load"):
        engines.get("gone")
