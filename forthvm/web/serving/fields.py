"""Fields of requests.

Owns the checks of their types.  Requests of the page always have fields of the right types, so the
errors need no texts for people.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from forthvm.core import reading

__all__ = ["flag", "integer", "text", "texts_of"]

T = TypeVar("T")


def _field(read: reading.Reader[T]) -> Callable[[Mapping[str, object], str], T]:
    """Return a function that reads a field of a request.

    The function raises KeyError if the field is missing, and ValueError if it has another type.
    """
    return lambda request, name: read(request[name])


integer = _field(reading.integer())
text = _field(reading.text())
flag = _field(reading.flag)
texts_of = _field(reading.list_of(reading.text()))
