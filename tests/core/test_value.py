"""Immutable records: fields, defaults, equality, errors."""

from __future__ import annotations

import copy
import doctest
import pickle

import pytest

from forthvm.core import value
from forthvm.core.value import Value


class Point(Value):
    x: int
    y: int = 0


class Labelled(Point):
    label: str = ""


class Limits(Value, kw_only=True):
    maximum: int = 1

    def __post_init__(self) -> None:
        if self.maximum < 0:
            raise ValueError("maximum")


def test_examples_in_docstrings_are_correct() -> None:
    failed, tried = doctest.testmod(value)
    assert tried
    assert not failed


def test_fields_are_set_by_position_by_name_or_by_default() -> None:
    assert vars(Point(1, 2)) == vars(Point(y=2, x=1)) == {"x": 1, "y": 2}
    assert Point(1).y == 0


def test_a_subclass_appends_its_fields() -> None:
    assert list(vars(Labelled(label="a", y=2, x=1))) == ["x", "y", "label"]


@pytest.mark.parametrize(
    ("args", "keywords"),
    [((), {}), ((1, 2, 3), {}), ((1,), {"x": 2}), ((1,), {"z": 2}), ((1, 2), {"z": 2})],
)
def test_wrong_arguments_raise(args: tuple[int, ...], keywords: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="Point has the fields x, y"):
        Point(*args, **keywords)


def test_keyword_only_fields_are_refused_by_position() -> None:
    assert Limits(maximum=3).maximum == 3
    with pytest.raises(TypeError, match="Limits has the fields maximum"):
        Limits(3)  # type: ignore[call-arg, misc]


def test_a_class_can_refuse_values() -> None:
    with pytest.raises(ValueError, match="maximum"):
        Limits(maximum=-1)
    with pytest.raises(ValueError, match="maximum"):
        Limits(maximum=1).replace(maximum=-1)


def test_equality_compares_class_and_fields() -> None:
    assert Point(1, 2) == Point(1, 2)
    assert hash(Point(1, 2)) == hash(Point(y=2, x=1))
    assert Point(1, 2) != Point(1, 3)
    assert Point(1, 2) != Labelled(1, 2)
    assert Point(1, 2) != (1, 2)


def test_fields_cannot_be_changed() -> None:
    point = Point(1)
    with pytest.raises(AttributeError, match="Point cannot be changed: x"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match="Point cannot be changed: x"):
        del point.x
    assert point == Point(1)


def test_copies_and_pickles_are_equal() -> None:
    point = Labelled(1, 2, "a")
    assert copy.copy(point) == copy.deepcopy(point) == pickle.loads(pickle.dumps(point)) == point


def test_patterns_match_fields_by_position() -> None:
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)
        case _:
            pytest.fail("no match")
