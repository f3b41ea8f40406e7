"""Checks of the arguments of public functions.

Owns the checks and their messages.
"""

from __future__ import annotations

import operator
import os
from typing import TYPE_CHECKING, Any

from forthvm.core.reading import ReadError, satisfying
from forthvm.core.text.visible import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.core.reading import Reader

__all__ = [
    "ArgumentError",
    "check",
    "check_text",
    "described",
    "path",
    "read_arguments",
]

path: Reader[str | os.PathLike[str]] = satisfying(
    lambda value: isinstance(value, str | os.PathLike), "a path"
)
"""Reads a path."""


class ArgumentError(TypeError, ValueError):
    """An argument has another type, or is out of range."""


def read_arguments(
    function: str, readers: Mapping[str, Reader[Any]], given: Mapping[str, object]
) -> dict[str, Any]:
    """Read the arguments of a function.

    Args:
        function: Name of the function, for messages.
        readers: The reader of each argument.
        given: The values; other keys are ignored, so that it can be `locals()`.

    Raises:
        ArgumentError: A reader refuses an argument.

    >>> read_arguments("read", {"file": path}, {"file": 3})
    Traceback (most recent call last):
    ...
    forthvm.core.arguments.ArgumentError: read: `file`: expected a path, not 3
    """
    values = {}
    for name, read in readers.items():
        value = given[name]
        if hasattr(value, "__index__") and not isinstance(value, bool):
            value = operator.index(value)  # an integer of numpy
        try:
            values[name] = read(value)
        except ReadError as error:
            raise ArgumentError(f"{function}: {error.inside(name)}") from None
    return values


def check(given: object, kinds: type | tuple[type, ...], function: str, expected: str) -> None:
    """Check the type of an argument.

    Args:
        given: The argument.
        kinds: The type or types that the function accepts.
        function: Name of the function, for the message.
        expected: What the function takes, for the message.

    Raises:
        TypeError: The argument has another type.

    >>> check(None, str, "push", "a move")
    Traceback (most recent call last):
    ...
    TypeError: push takes a move, not None
    """
    if not isinstance(given, kinds):
        raise TypeError(f"{function} takes {expected}, not {described(given)}")


def check_text(given: object, function: str) -> None:
    """Raise TypeError if an argument is not a text."""
    check(given, str, function, "the text of a move, such as move.text (push takes moves)")


def described(given: object) -> str:
    """Return a shortened repr of a simple value; for any other value, the name of its type."""
    if given is None or isinstance(given, bool | int | float | str | bytes | list | tuple | dict):
        return shown(given)
    name = type(given).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
