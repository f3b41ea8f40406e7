"""Readers of untrusted values: what each accepts, refuses, and says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from forthvm.core import reading
from forthvm.core.reading import (
    Reader,
    ReadError,
    as_type,
    dict_of,
    flag,
    from_text,
    integer,
    list_of,
    number,
    optional,
    parse_json,
    record,
    text,
    tuple_of,
)
from tests.kit.cases import each_case


@dataclass(frozen=True)
class Point:
    """A record with a default."""

    x: int
    name: str = "p"


@each_case(
    ("read", "value", "expected"),
    [
        (integer(), -(2**70), -(2**70)),
        (integer(0, 0), 0, 0),
        (integer(1, 5), 5, 5),
        (number(), 1, 1),
        (number(0, 1), 0.5, 0.5),
        (text(3), "abc", "abc"),
        (flag, False, False),
        (optional(integer()), None, None),
        (from_text(int, integer(1, 5)), "5", 5),
        (from_text(float, number(0)), "0.5", 0.5),
        (list_of(integer()), [1, 2], (1, 2)),
        (tuple_of(text(), integer()), ["a", 1], ("a", 1)),
        (dict_of(text()), {"a": "b"}, {"a": "b"}),
        (record({"a": integer()}, optional="a"), {}, {}),
        (record({"a": integer()}, others=True), {"a": 1, "b": 2}, {"a": 1}),
        (as_type(object), [1], [1]),
        (as_type(Point), {"x": 1}, Point(1)),
        (as_type(list[Point]), [{"x": 1, "name": "q"}], [Point(1, "q")]),
        (as_type(tuple[int, ...]), [1, 2, 3], (1, 2, 3)),
        (as_type(tuple[str, int]), ["a", 1], ("a", 1)),
        (as_type(dict[str, float]), {"a": 1}, {"a": 1}),
    ],
)
def test_values_are_read(read: Reader[Any], value: object, expected: object) -> None:
    found = read(value)
    assert found == expected
    assert type(found) is type(expected)


def test_unions_are_read() -> None:
    assert reading.as_type(int | str | None)("a") == "a"  # type: ignore[arg-type]
    assert reading.as_type(int | str | None)(None) is None  # type: ignore[arg-type]


@each_case(
    ("read", "value", "problem"),
    [
        (integer(), True, "expected an integer, not True"),
        (integer(), 1.0, "expected an integer, not 1.0"),
        (integer(0), -1, "expected a non-negative integer, not -1"),
        (integer(1), 0, "expected a positive integer, not 0"),
        (integer(0, 0), 5, "expected an integer from 0 to 0, not 5"),
        (integer(-(2**63)), -(2**64), f"expected an integer from -2**63, not {-(2**64)}"),
        (number(), False, "expected a number, not False"),
        (number(), float("nan"), "expected a number, not nan"),
        (number(), float("-inf"), "expected a number, not -inf"),
        (number(0), 10**400, "expected a non-negative number, not 100000000000"),
        (number(0, 5), 10**5000, "expected a number from 0 to 5, not a huge int"),
        (number(0, 1), 2, "expected a number from 0 to 1, not 2"),
        (text(), b"a", "expected a text, not b'a'"),
        (text(2), "abc", "expected a text of at most 2 characters, not 'abc'"),
        (text(), ["\x1b[0m\u202e"], r"expected a text, not ['\x1b[0m\u202e']"),
        (flag, 1, "expected true or false, not 1"),
        (optional(flag), 0, "expected true or false, not 0"),
        (from_text(int, integer(1, 5)), "x", "expected an integer from 1 to 5, not 'x'"),
        (from_text(float, number(0)), "nan", "expected a non-negative number, not nan"),
        (list_of(integer()), "ab", "expected a list, not 'ab'"),
        (list_of(integer()), [1, "a"], "`[1]`: expected an integer, not 'a'"),
        (list_of(integer(), 1), [1, 2], "expected a list of at most 1, not of 2"),
        (tuple_of(text(), text()), ["a"], "expected a list of 2, not of 1"),
        (dict_of(integer()), [], "expected an object, not []"),
        (dict_of(list_of(text())), {"a": [1]}, "`a[0]`: expected a text, not 1"),
        (dict_of(text()), {"\x07": 1}, r"`\x07`: expected a text, not 1"),
        (record({"a": integer()}), {}, "`a` is missing"),
        (record({}), {"b": 1}, "`b` is unknown"),
        (dict_of(record({"a": flag})), {"b": {"a": 0}}, "`b.a`: expected true or false, not 0"),
        (list_of(record({"a": flag})), [{}], "`[0]`: `a` is missing"),
        (as_type(int), 2**62 + 1, f"expected an integer from -2**62 to 2**62, not {2**62 + 1}"),
        (as_type(Point), {}, "`x` is missing"),
        (as_type(Point), {"x": 1, "y": 2}, "`y` is unknown"),
        (as_type(tuple[Annotated[int, integer(0)], ...]), [-1], "`[0]`: expected a non-negative"),
        (as_type(list[Point]), [{"x": "1"}], "`[0].x`: expected an integer"),
        (parse_json, "{", "not JSON"),
        (parse_json, "[NaN]", "not JSON (NaN is not a number)"),
        (parse_json, b"\xff", "not JSON"),
        (parse_json, "[" * 200_000, "it is nested too deeply"),
    ],
)
def test_other_values_are_refused(read: Reader[Any], value: object, problem: str) -> None:
    with pytest.raises(ReadError) as caught:
        read(value)
    assert str(caught.value).startswith(problem)
