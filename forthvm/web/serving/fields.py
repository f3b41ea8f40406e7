"""Fields of requests.

Owns the checks of their types.  A request whose field is missing or of another type is not one of
the page's, so no text explains the error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["flag", "integer", "text", "texts_of"]


def integer(request: Mapping[str, object], name: str) -> int:
    """Return a field that is an integer.

    Raises:
        KeyError, TypeError: It is not.
    """
    value = request[name]
    if type(value) is not int:
        raise TypeError(name)
    return value


def text(request: Mapping[str, object], name: str) -> str:
    """Return a field that is a text.

    Raises:
        KeyError, TypeError: It is not.
    """
    value = request[name]
    if not isinstance(value, str):
        raise TypeError(name)
    return value


def texts_of(request: Mapping[str, object], name: str) -> tuple[str, ...]:
    """Return a field that is a list of texts.

    Raises:
        KeyError, TypeError: It is not.
    """
    value = request[name]
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TypeError(name)
    return tuple(value)


def flag(request: Mapping[str, object], name: str) -> bool:
    """Return a field that is true or false.

    Raises:
        KeyError, TypeError: It is not.
    """
    value = request[name]
    if not isinstance(value, bool):
        raise TypeError(name)
    return value
