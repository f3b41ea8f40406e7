"""Checks of the arguments of public functions.

Owns the checks of types and their messages.  It must not know what the functions do.  It must not
import the modules of games, positions and moves, because those modules import this file.
"""

from __future__ import annotations

from .states import States

__all__ = ["check", "check_game", "check_text", "shown"]


def check(given: object, kinds: type | tuple[type, ...], where: str, expected: str) -> None:
    """Check the type of an argument.

    Raises:
        TypeError: The argument has another type; the message names the function, what it takes,
            and the argument.

    >>> check(None, str, "push", "a move")
    Traceback (most recent call last):
    ...
    TypeError: push takes a move, not None
    """
    if not isinstance(given, kinds):
        raise TypeError(f"{where} takes {expected}, not {shown(given)}")


def check_game(given: object, where: str) -> None:
    """Raise TypeError if an argument is not a game, that is, has no `states`."""
    if not isinstance(getattr(given, "states", None), States):
        raise TypeError(
            f"{where} takes a game, such as forthvm.load(...) returns, not {shown(given)}"
        )


def check_text(given: object, where: str) -> None:
    """Raise TypeError if an argument is not a text."""
    check(given, str, where, "the text of a move, such as move.text (push takes moves)")


def shown(given: object) -> str:
    """Return the repr of a simple value, cut to a readable length, or the type of another value."""
    if given is None or isinstance(given, bool | int | float | str | bytes | list | tuple | dict):
        import reprlib  # needed only after an error

        return reprlib.repr(given)
    name = type(given).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
