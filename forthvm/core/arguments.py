"""Checks of the arguments of public functions.

Owns the checks of types and their messages.
"""

from __future__ import annotations

from forthvm.core.text.visible import shown

__all__ = ["check", "check_text", "described"]


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
