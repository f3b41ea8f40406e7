"""Readers of untrusted values: from documents, messages, options, and callers of the API.

A reader is a function that returns a value of its type unchanged, except that lists become tuples
and objects may become dataclasses; tuples and dataclasses are read like lists and objects.  It
raises ReadError for any other value.  True and False are not numbers; NaN and infinity are refused.

>>> moves = record({"history": list_of(record({"move": text(), "index": integer(0)}))})
>>> moves({"history": [{"move": "a1", "index": True}]})
Traceback (most recent call last):
forthvm.core.reading.ReadError: `history[0].index`: expected a non-negative integer, not True
"""

from __future__ import annotations

import types
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import cache
from sys import float_info
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from forthvm.core.text.visible import MAX_SHOWN, shown, visible

if TYPE_CHECKING:
    from json import JSONDecoder

__all__ = [
    "MAX_NUMBER",
    "ReadError",
    "Reader",
    "as_type",
    "dict_of",
    "fields_of",
    "flag",
    "from_text",
    "integer",
    "list_of",
    "number",
    "one_of",
    "optional",
    "parse_json",
    "record",
    "satisfying",
    "text",
    "tuple_of",
]

T = TypeVar("T")
Reader = Callable[[object], T]

MAX_NUMBER = 2**62
"""The maximum absolute value of a number that `as_type` accepts, so that sums stay finite."""


class ReadError(ValueError):
    """A value has another type or is out of range; the message begins with its path."""

    def __init__(self, problem: str, path: str = "", *, expected: str = "") -> None:
        super().__init__(f"`{path}`: {problem}" if path else problem)
        self._problem, self._path = problem, path
        self.expected = expected
        """What was expected; empty if the problem is inside the value."""

    def inside(self, step: str | int) -> ReadError:
        """Return the error with the path from the containing list or object."""
        path = self._path
        first = f"[{step}]" if isinstance(step, int) else visible(step[:MAX_SHOWN])
        dot = "." if path and not path.startswith("[") else ""
        return ReadError(self._problem, f"{first}{dot}{path}")


def parse_json(document: str | bytes | bytearray) -> object:
    """Parse a JSON document.

    Raises:
        ReadError: The text is not valid JSON, or nested too deeply.
    """
    try:
        if not isinstance(document, str):
            document = document.decode("utf-8")
        return _decoder().decode(document)
    except RecursionError:
        raise ReadError("it is nested too deeply") from None
    except ReadError:
        raise
    except ValueError as error:
        raise ReadError(f"not JSON ({error})") from error


@cache
def _decoder() -> JSONDecoder:
    import json

    return json.JSONDecoder(parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> object:
    raise ReadError(f"not JSON ({name} is not a number)")


# --- single values ------------------------------------------------------------------------------


def _wrong(expected: str, value: object) -> ReadError:
    return ReadError(f"expected {expected}, not {shown(value)}", expected=expected)


def integer(low: int | None = None, high: int | None = None, expected: str = "") -> Reader[int]:
    """Return a reader of integers from `low` to `high`; `expected` describes them in messages."""
    expected = expected or _range("integer", low, high)

    def read(value: object) -> int:
        if (
            not isinstance(value, int)
            or isinstance(value, bool)
            or (low is not None and value < low)
            or (high is not None and value > high)
        ):
            raise _wrong(expected, value)
        return value

    return read


def number(
    low: float | None = None, high: float | None = None, expected: str = ""
) -> Reader[float]:
    """Return a reader of finite numbers from `low` to `high`; integers stay integers."""
    expected = expected or _range("number", low, high)
    least = -float_info.max if low is None else low
    greatest = float_info.max if high is None else high

    def read(value: object) -> float:
        if (
            not isinstance(value, int | float)
            or isinstance(value, bool)
            or not least <= value <= greatest  # also true for NaN
        ):
            raise _wrong(expected, value)
        return value

    return read


def _range(kind: str, low: float | None, high: float | None) -> str:
    article = "an" if kind == "integer" else "a"
    if high is not None:
        return f"{article} {kind} from {_bound(low)} to {_bound(high)}"
    if low in {0, 1}:
        return f"a {'positive' if low else 'non-negative'} {kind}"
    return f"{article} {kind}" if low is None else f"{article} {kind} from {_bound(low)}"


def _bound(value: object) -> str:
    """Return a bound for a message, a large one as a power of 2."""
    if isinstance(value, int) and abs(value) >= 2**62 and abs(value).bit_count() == 1:
        return f"{'-' * (value < 0)}2**{abs(value).bit_length() - 1}"
    return str(value)


def text(longest: int | None = None) -> Reader[str]:
    """Return a reader of texts of at most `longest` characters."""

    def read(value: object) -> str:
        if not isinstance(value, str):
            raise _wrong("a text", value)
        if longest is not None and len(value) > longest:
            raise _wrong(f"a text of at most {longest} characters", value)
        return value

    return read


def one_of(*texts: str) -> Reader[str]:
    """Return a reader of one of some texts."""

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in texts:
            raise _wrong(f"one of {', '.join(texts)}", value)
        return value

    return read


def satisfying(test: Callable[[Any], bool], expected: str) -> Reader[Any]:
    """Return a reader of values that pass a test; `expected` describes them in messages."""

    def read(value: object) -> object:
        if not test(value):
            raise _wrong(expected, value)
        return value

    return read


def flag(value: object) -> bool:
    """Read True or False.

    Raises:
        ReadError: The value is another one.
    """
    if not isinstance(value, bool):
        raise _wrong("true or false", value)
    return value


def optional(read: Reader[T]) -> Reader[T | None]:
    """Return a reader that accepts None, too."""
    return lambda value: None if value is None else read(value)


def from_text(convert: Callable[[str], object], read: Reader[T]) -> Reader[T]:
    """Return a reader that also accepts a text, such as the value of an option.

    >>> from_text(int, integer(1, 10))("7")
    7
    """

    def read_text(value: object) -> T:
        if isinstance(value, str):
            with suppress(ValueError):
                value = convert(value)
        return read(value)

    return read_text


# --- lists and objects --------------------------------------------------------------------------


def _list(value: object) -> Sequence[object]:
    if not isinstance(value, list | tuple):
        raise _wrong("a list", value)
    return value


def list_of(read: Reader[T], longest: int | None = None) -> Reader[tuple[T, ...]]:
    """Return a reader of lists of at most `longest` values."""

    def read_list(value: object) -> tuple[T, ...]:
        values = _list(value)
        if longest is not None and len(values) > longest:
            raise ReadError(f"expected a list of at most {longest}, not of {len(values)}")
        found: list[T] = []
        try:
            for each in values:
                found.append(read(each))
        except ReadError as error:
            raise error.inside(len(found)) from None
        return tuple(found)

    return read_list


def tuple_of(*readers: Reader[Any]) -> Reader[tuple[Any, ...]]:
    """Return a reader of lists that have one value for each reader."""

    def read_tuple(value: object) -> tuple[Any, ...]:
        values = _list(value)
        if len(values) != len(readers):
            raise ReadError(f"expected a list of {len(readers)}, not of {len(values)}")
        found: list[Any] = []
        try:
            for read, each in zip(readers, values, strict=True):
                found.append(read(each))
        except ReadError as error:
            raise error.inside(len(found)) from None
        return tuple(found)

    return read_tuple


def _object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise _wrong("an object", value)
    return value


def dict_of(read: Reader[T]) -> Reader[dict[str, T]]:
    """Return a reader of objects with any keys."""

    def read_dict(value: object) -> dict[str, T]:
        values, key = _object(value), ""
        try:
            return {(key := each): read(values[each]) for each in values}
        except ReadError as error:
            raise error.inside(key) from None

    return read_dict


def record(
    readers: Mapping[str, Reader[Any]],
    *,
    optional: Collection[str] = (),
    others: bool = False,
) -> Reader[dict[str, Any]]:
    """Return a reader of objects with known keys.

    Args:
        readers: The reader of each value.
        optional: The keys that may be missing.
        others: Whether other keys are allowed; their values are left out.
    """

    def read_record(value: object) -> dict[str, Any]:
        values = _object(value)
        missing = [key for key in readers if key not in values and key not in optional]
        if missing:
            raise ReadError(f"`{missing[0]}` is missing")
        unknown = sorted(values.keys() - readers.keys())
        if unknown and not others:
            raise ReadError(f"`{visible(unknown[0][:MAX_SHOWN])}` is unknown")
        key = ""
        try:
            return {
                (key := each): readers[each](values[each]) for each in readers if each in values
            }
        except ReadError as error:
            raise error.inside(key) from None

    return read_record


# --- type hints ---------------------------------------------------------------------------------

_PLAIN: Mapping[object, Reader[Any]] = {
    object: lambda value: value,
    bool: flag,
    int: integer(-MAX_NUMBER, MAX_NUMBER),
    float: number(-MAX_NUMBER, MAX_NUMBER),
    str: text(),
}


def as_type(hint: type[T]) -> Reader[T]:
    """Return the reader of a type hint.

    Args:
        hint: `object` for any value, a plain type, `Annotated` with a reader, a dataclass, or a
            union, tuple, list or dict of types.

    >>> as_type(tuple[tuple[str, int], ...])([["a", 1], ["b", 2]])
    (('a', 1), ('b', 2))
    """
    reader: Reader[Any] = _reader(hint)
    return reader


def _reader(hint: Any) -> Reader[Any]:  # noqa: ANN401, PLR0911 - one return for each kind of hint
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, kinds = get_origin(hint), get_args(hint)
    if origin is Annotated:
        read_annotated: Reader[Any] = hint.__metadata__[0]
        return read_annotated
    if origin in {Union, types.UnionType}:
        return _union_reader(kinds)
    if origin is list:
        read = list_of(_reader(kinds[0]))
        return lambda value: list(read(value))
    if origin is tuple and kinds[-1] is Ellipsis:
        return list_of(_reader(kinds[0]))
    if origin is tuple:
        return tuple_of(*map(_reader, kinds))
    if origin is dict or origin is Mapping:
        return dict_of(_reader(kinds[1]))
    from dataclasses import is_dataclass  # slow to import; a start does not need it

    if is_dataclass(hint):
        return _dataclass_reader(hint)
    raise TypeError(f"no reader for {hint}")


def _union_reader(kinds: tuple[Any, ...]) -> Reader[Any]:
    readers = [_reader(kind) for kind in kinds if kind is not types.NoneType]

    def read(value: object) -> object:
        errors: list[ReadError] = []
        for read_kind in readers:
            try:
                return read_kind(value)
            except ReadError as error:
                errors.append(error)
        expected = [error.expected for error in errors]
        raise _wrong(" or ".join(expected), value) if all(expected) else errors[-1]

    return optional(read) if types.NoneType in kinds else read


def _dataclass_reader(cls: Any) -> Reader[Any]:  # noqa: ANN401 - a dataclass
    return lambda value: cls(**fields_of(cls)(value))


@cache
def fields_of(cls: Any) -> Reader[dict[str, Any]]:  # noqa: ANN401 - a dataclass
    """Return a reader of the fields of a dataclass, given as an object or as an instance."""
    from dataclasses import MISSING, fields

    hints = get_type_hints(cls, include_extras=True)
    own = [each for each in fields(cls) if each.init]
    read = record(
        {each.name: _reader(hints[each.name]) for each in own},
        optional=[
            each.name
            for each in own
            if each.default is not MISSING or each.default_factory is not MISSING
        ],
    )

    def read_fields(value: object) -> dict[str, Any]:
        if isinstance(value, cls):
            value = {each.name: getattr(value, each.name) for each in own}
        elif not isinstance(value, dict):
            raise _wrong(f"the fields of {cls.__name__}", value)
        return read(value)

    return read_fields
