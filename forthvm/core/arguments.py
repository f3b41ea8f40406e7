"""Checks of the arguments of public functions.

Owns the checks, their messages, and what a VM and functions that load a game take.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from forthvm.core.budget import Budget
from forthvm.core.loading.library import VERSIONS
from forthvm.core.reading import (
    ReadError,
    as_type,
    flag,
    integer,
    list_of,
    optional,
    satisfying,
)
from forthvm.core.text.visible import shown

if TYPE_CHECKING:
    from forthvm.core.reading import Reader

__all__ = [
    "VM_ARGUMENTS",
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
_output = satisfying(
    lambda value: callable(value) or hasattr(value, "write"), "a function or a text stream"
)
VM_ARGUMENTS: Mapping[str, Reader[Any]] = {
    "library": optional(path),
    "axiom": optional(
        satisfying(lambda value: str(value) in VERSIONS, f"one of {', '.join(VERSIONS)}")
    ),
    "output": optional(_output),
    "log": optional(_output),
    "game_log": optional(path),
    "include": list_of(path),
    "files": optional(path),
    "budget": optional(
        satisfying(
            lambda value: isinstance(value, Budget), "a forthvm.Budget, such as Budget(seconds=1)"
        )
    ),
    "seed": optional(integer(-(2**31), 2**31 - 1)),
    "clock": optional(as_type(int)),
    "checked": flag,
}
"""The readers of the arguments of `VM`, most of which functions that load a game take, too."""


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

    >>> read_arguments("load", VM_ARGUMENTS, {**dict.fromkeys(VM_ARGUMENTS), "include": "games"})
    Traceback (most recent call last):
    ...
    forthvm.core.arguments.ArgumentError: load: `include`: expected a list, not 'games'
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
