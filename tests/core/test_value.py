"""Records: fields, defaults, equality, and what they refuse."""

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
    most: int = 1

    def __post_init__(self) -> None:
        if self.most < 0:
            raise ValueError("most")


def test_its_examples() -> None:
    failed, tried = doctest.testmod(value)
    assert tried
    assert not failed


def test_fields_come_by_place_by_name_and_by_default() -> None:
    assert vars(Point(1, 2)) == vars(Point(y=2, x=1)) == {"x": 1, "y": 2}
    assert Point(1).y == 0


def test_a_subclass_adds_its_fields_behind() -> None:
    assert list(vars(Labelled(label="a", y=2, x=1))) == ["x", "y", "label"]


@pytest.mark.parametrize(
    ("args", "given"),
    [((), {}), ((1, 2, 3), {}), ((1,), {"x": 2}), ((1,), {"z": 2}), ((1, 2), {"z": 2})],
)
def test_other_fields_are_refused(args: tuple[int, ...], given: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="Point has the fields x, y"):
        Point(*args, **given)


def test_fields_by_name_only_are_not_taken_by_place() -> None:
    assert Limits(most=3).most == 3
    with pytest.raises(TypeError, match="Limits has the fields most"):
        Limits(3)  # type: ignore[call-arg, misc]


def test_a_class_may_refuse_bad_fields() -> None:
    with pytest.raises(ValueError, match="most"):
        Limits(most=-1)
    with pytest.raises(ValueError, match="most"):
        Limits(most=1).replace(most=-1)


def test_equal_means_the_same_class_and_fields() -> None:
    assert Point(1, 2) == Point(1, 2)
    assert hash(Point(1, 2)) == hash(Point(y=2, x=1))
    assert Point(1, 2) != Point(1, 3)
    assert Point(1, 2) != Labelled(1, 2)
    assert Point(1, 2) != (1, 2)


def test_nothing_changes_it() -> None:
    point = Point(1)
    with pytest.raises(AttributeError, match="Point cannot be changed: x"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match="Point cannot be changed: x"):
        del point.x
    assert point == Point(1)


def test_copies_and_pickles_are_equal() -> None:
    point = Labelled(1, 2, "a")
    assert copy.copy(point) == copy.deepcopy(point) == pickle.loads(pickle.dumps(point)) == point


def test_patterns_take_fields_by_place() -> None:
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)
        case _:
            pytest.fail("no match")
