"""Tests of records: the base class does what a frozen dataclass would do."""

from __future__ import annotations

import copy
import pickle

import pytest

from forthvm.core.record import Record


class Square(Record):
    name: str
    index: int = 0


class Named(Square):
    title: str = ""


class Limits(Record, kw_only=True):
    steps: int | None = None
    depth: int = 1

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise ValueError("depth must be positive")


def test_fields_are_given_by_place_by_name_or_by_default() -> None:
    assert vars(Square("a1", 7)) == vars(Square("a1", index=7)) == {"name": "a1", "index": 7}
    assert vars(Square(name="a1")) == {"name": "a1", "index": 0}
    assert vars(Named("a1", title="corner")) == {"name": "a1", "index": 0, "title": "corner"}
    assert vars(Limits(depth=2)) == {"steps": None, "depth": 2}


@pytest.mark.parametrize(
    ("values", "named", "message"),
    [
        ((), {}, "Square: 'name' is missing"),
        (("a1", 1, 2), {}, "Square takes 2 values by place, not 3"),
        (("a1",), {"name": "b1"}, "Square: 'name' is given twice"),
        (("a1",), {"colour": "red"}, "Square: 'colour' is no field"),
    ],
)
def test_wrong_arguments(
    values: tuple[object, ...], named: dict[str, object], message: str
) -> None:
    with pytest.raises(TypeError) as caught:
        Square(*values, **named)  # type: ignore[arg-type]  # wrong on purpose
    assert str(caught.value) == message


def test_fields_for_names_only() -> None:
    with pytest.raises(TypeError, match="Limits takes 0 values by place, not 2"):
        Limits(1, 2)  # type: ignore[misc]  # wrong on purpose


def test_values_are_checked_also_of_a_replaced_record() -> None:
    for make in (lambda: Limits(depth=0), lambda: Limits().replace(depth=0)):
        with pytest.raises(ValueError, match="depth must be positive"):
            make()


def test_records_are_equal_if_their_classes_and_fields_are() -> None:
    assert Square("a1") == Square("a1", 0) != Square("a1", 1)
    assert Square("a1") != Named("a1")
    assert Square("a1") != ("a1", 0)
    assert len({Square("a1"), Square("a1"), Square("b1")}) == 2


def test_records_do_not_change() -> None:
    square = Square("a1")
    with pytest.raises(AttributeError, match="cannot assign to 'name': a Square is immutable"):
        square.name = "b1"  # type: ignore[misc]  # wrong on purpose
    with pytest.raises(AttributeError, match="cannot delete 'name': a Square is immutable"):
        del square.name
    assert square.replace(name="b1") == Square("b1")
    assert square == Square("a1")


def test_records_are_shown_matched_and_copied() -> None:
    square = Named("a1", title="corner")
    assert repr(square) == "Named(name='a1', index=0, title='corner')"
    match square:
        case Named(name, _, title):
            assert (name, title) == ("a1", "corner")
    assert copy.deepcopy(square) == pickle.loads(pickle.dumps(square)) == square
