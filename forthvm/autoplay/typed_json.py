"""Conversion of JSON values to Python types that type hints describe, such as dataclasses.

Owns the type check.
"""

from __future__ import annotations

import dataclasses
import types
from typing import Any, Union, get_args, get_origin, get_type_hints

__all__ = ["read_as"]

_MAX_NUMBER = 2**62
"""The maximum absolute value of a number, so that sums of numbers stay finite."""


def read_as(hint: Any, value: object) -> Any:  # noqa: ANN401 - of the hint's type
    """Convert a value to the type of the hint: a list to a tuple, an object to a dataclass.

    Args:
        hint: A plain type, a dataclass, a union, tuple, list or dict of types, or `object`, which
            accepts every value unchanged.
        value: A result of `json.loads`.

    Raises:
        ValueError: The value has another type; the message names the key.

    >>> read_as(tuple[tuple[str, int], ...], [["a", 1], ["b", 2]])
    (('a', 1), ('b', 2))
    """
    origin = get_origin(hint)
    if hint is object:
        return value
    if origin in {Union, types.UnionType}:
        return _read_union(hint, value)
    if dataclasses.is_dataclass(hint):
        return _read_dataclass(hint, value)
    if origin is tuple or origin is list:
        return _read_list(hint, value)
    if origin is dict:
        return _read_dict(hint, value)
    return _read_plain(hint, value)


def _read_union(hint: Any, value: object) -> object:  # noqa: ANN401 - a type hint
    kinds = get_args(hint)
    if value is None and types.NoneType in kinds:
        return None
    kinds = tuple(kind for kind in kinds if kind is not types.NoneType)
    for kind in kinds[:-1]:
        try:
            return read_as(kind, value)
        except ValueError:
            continue
    return read_as(kinds[-1], value)


def _read_plain(hint: Any, value: object) -> object:  # noqa: ANN401 - a type hint
    kinds = (int, float) if hint is float else (hint,)
    if not isinstance(value, kinds) or (isinstance(value, bool) and hint is not bool):
        raise ValueError(f"expected {_NAMES.get(hint, hint)}, not {_shown(value)}")
    if isinstance(value, int | float) and not abs(value) <= _MAX_NUMBER:
        raise ValueError(f"expected a number of at most {_MAX_NUMBER}, not {_shown(value)}")
    return value


def _read_list(hint: Any, value: object) -> object:  # noqa: ANN401 - a type hint
    if not isinstance(value, list):
        raise ValueError(f"expected a list, not {_shown(value)}")
    kinds = get_args(hint)
    if get_origin(hint) is list:
        return [read_as(kinds[0], element) for element in value]
    if kinds[-1] is Ellipsis:
        return tuple(read_as(kinds[0], element) for element in value)
    if len(value) != len(kinds):
        raise ValueError(f"expected a list of {len(kinds)}, not of {len(value)}")
    return tuple(read_as(kind, element) for kind, element in zip(kinds, value, strict=True))


def _read_dict(hint: Any, value: object) -> object:  # noqa: ANN401 - a type hint
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, not {_shown(value)}")
    _, kind = get_args(hint)
    return {key: read_as(kind, element) for key, element in value.items()}


def _read_dataclass(hint: Any, value: object) -> object:  # noqa: ANN401 - a dataclass
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, not {_shown(value)}")
    hints = get_type_hints(hint)
    fields = {}
    for key, element in value.items():
        if key not in hints:
            raise ValueError(f"{key!a} is not known")
        try:
            fields[key] = read_as(hints[key], element)
        except ValueError as error:
            raise ValueError(f"{key}: {error}") from error
    try:
        return hint(**fields)
    except TypeError as error:  # a field is missing
        raise ValueError(str(error)) from error


_NAMES = {int: "an integer", float: "a number", str: "a text", bool: "true or false"}


def _shown(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:60]}…"  # fits in a line
