"""Engine specifications and limits: accepted and refused values."""

from __future__ import annotations

from typing import Any

import pytest

from forthvm import engines
from forthvm.core.errors import ForthVMError
from forthvm.engines.errors import EngineOptionError
from forthvm.engines.options import flag, integer, parse_options, seconds, split_spec
from forthvm.engines.protocol import Limits
from tests.kit.cases import each_case
from tests.kit.messages import raises


@each_case(
    ("spec", "name", "options"),
    [
        ("random", "random", {}),
        (" random ", "random", {}),
        ("axiom:depth=4", "axiom", {"depth": "4"}),
        ("axiom:depth=4,time=0.5", "axiom", {"depth": "4", "time": "0.5"}),
        ("axiom: depth = 4 , time=1 ,", "axiom", {"depth": "4", "time": "1"}),
        ("axiom:", "axiom", {}),
        ("a.b:C", "a.b:C", {}),
        ("a.b:C:x=1", "a.b:C", {"x": "1"}),
    ],
)
def test_specifications_are_split(spec: str, name: str, options: dict[str, str]) -> None:
    assert split_spec(spec) == (name, options)


@each_case(
    "spec", ["axiom:depth=4,fast", "axiom:depth=1,depth=2", "axiom:depth=", "axiom:=4", "a:B:fast"]
)
def test_invalid_specifications_are_refused(spec: str) -> None:
    with pytest.raises(EngineOptionError, match="option"):
        split_spec(spec)


@pytest.mark.parametrize(("value", "expected"), [("1", 1), (7, 7), ("10", 10)])
def test_integers_are_parsed(value: object, expected: int) -> None:
    assert integer(1, 10)(value) == expected


@each_case("value", ["0", "11", "x", "", 1.5, None, True])
def test_invalid_integers_are_refused(value: object) -> None:
    with raises(ValueError, "options.invalid-integers"):
        integer(1, 10)(value)


@each_case("value", ["-1", "x", "nan", "inf", None])
def test_invalid_times_are_refused(value: object) -> None:
    with raises(ValueError, "options.invalid-times"):
        seconds(value)


def test_flags_are_parsed() -> None:
    assert flag("on")
    assert not flag("0")
    with raises(ValueError, "options.yes-or-no"):
        flag("maybe")


def test_unknown_option_is_reported_with_a_similar_name() -> None:
    with raises(EngineOptionError, "options.misspelt-name"):
        parse_options("axiom", {"dept": "4"}, {"depth": integer(1)})


@each_case(
    "limits",
    [
        {"depth": 0},
        {"depth": -1},
        {"depth": 2.0},
        {"depth": True},
        {"nodes": 0},
        {"moves": 0},
        {"time": -1},
        {"time": float("nan")},
        {"time": float("inf")},
        {"time": "1"},
        {"increment": -0.1},
    ],
)
def test_invalid_limits_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(EngineOptionError) as caught:
        Limits(**limits)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, ForthVMError)


def test_given_limits_take_precedence_over_defaults() -> None:
    assert Limits(depth=4).with_defaults(Limits(depth=2, time=1.0)) == Limits(depth=4, time=1.0)
    assert Limits().unlimited
    assert not Limits(time=0).unlimited


@each_case(
    ("spec", "suggested"),
    [
        ("mcts:iterations=5", "playouts"),
        ("mcts:nodes=5", "playouts"),
        ("negamax:playouts=5", "nodes"),
        ("negamax:plies=5", "depth"),
        ("mcts:explorations=5", "exploration"),
        ("mixed:iterations=5", None),
    ],
)
def test_unknown_options_suggest_the_option_that_is_meant(spec: str, suggested: str | None) -> None:
    with pytest.raises(EngineOptionError) as caught:
        engines.get(spec)
    hint = f"; did you mean {suggested!r}? (" if suggested else "' (it has: "
    assert hint in str(caught.value)
