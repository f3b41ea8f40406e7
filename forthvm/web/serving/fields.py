"""Fields of requests.

Owns the checks of their types.  Requests of the page always have fields of the right types, so the
errors need no texts for people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["flag", "integer", "text", "texts_of"]

_T = TypeVar("_T")


def integer(request: Mapping[str, object], name: str) -> int:
    """Return a field that is an integer.

    Raises:
        KeyError: The field is missing.
        TypeError: The field has another type.
    """
    return _field(request, name, int)


def text(request: Mapping[str, object], name: str) -> str:
    """Return a field that is a text; raises errors like `integer`."""
    return _field(request, name, str)


def flag(request: Mapping[str, object], name: str) -> bool:
    """Return a field that is true or false; raises errors like `integer`."""
    return _field(request, name, bool)


def texts_of(request: Mapping[str, object], name: str) -> tuple[str, ...]:
    """Return a field that is a list of texts; raises errors like `integer`."""
    values = _field(request, name, list)
    if not all(isinstance(value, str) for value in values):
        raise TypeError(name)
    return tuple(values)


def _field(request: Mapping[str, object], name: str, kind: type[_T]) -> _T:
    """Return a field of exactly a type: True is no integer."""
    value = request[name]
    if type(value) is not kind:
        raise TypeError(name)
    return value
