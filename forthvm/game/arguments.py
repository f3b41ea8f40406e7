"""Checks of the arguments of public functions.

Owns the checks of types and their messages.  It must not know what the functions do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .setup import Pieces

__all__ = ["check", "check_game", "check_move", "check_pieces", "check_position", "check_text"]

_PIECE_NAMES = 3


def check(given: object, kinds: type | tuple[type, ...], where: str, expected: str) -> None:
    """Check the type of an argument.

    Raises:
        TypeError: it is of another type; the message names the function and both types.

    >>> check(None, str, "push", "a move")
    Traceback (most recent call last):
    ...
    TypeError: push takes a move, not None
    """
    if not isinstance(given, kinds):
        raise TypeError(f"{where} takes {expected}, not {_shown(given)}")


def check_position(given: object, where: str) -> None:
    """Raise TypeError if an argument is not a position."""
    from .position import Position

    check(given, Position, where, "a position, such as game.start() gives")


def check_game(given: object, where: str) -> None:
    """Raise TypeError if an argument is not a game."""
    from .game import Game

    check(given, Game, where, "a game, such as forthvm.load(...) gives")


def check_move(given: object) -> None:
    """Raise TypeError if `push` does not accept an argument."""
    from .moves import Move

    expected = "a legal move, its text or an entry of the history"
    if hasattr(given, "move") and not isinstance(given, Move):
        raise TypeError(f"push takes {expected}, not {_shown(given)}; push its `.move`")
    check(given, Move, "push", expected)


def check_text(given: object, where: str) -> None:
    """Raise TypeError if an argument is not a text."""
    check(given, str, where, "the text of a move, such as move.text (push takes moves)")


def check_pieces(given: object) -> Pieces:
    """The pieces of a set-up, each as three names; raises TypeError for other values."""
    from collections.abc import Iterable

    expected = "pieces, each as (player, piece type, position)"
    pieces = [given] if isinstance(given, str) else given
    check(pieces, Iterable, "setup", expected)
    found: tuple[tuple[str, str, str], ...] = tuple(pieces)  # type: ignore[arg-type]  # it is one
    for piece in found:
        sound = isinstance(piece, tuple | list) and len(piece) == _PIECE_NAMES
        for name in piece if sound else (None,):
            if not isinstance(name, str):
                raise TypeError(f"setup takes {expected}, not {_shown(piece)}")
    return tuple((player, kind, at) for player, kind, at in found)


def _shown(given: object) -> str:
    """The repr of simple values, cut to a readable length; the type of others."""
    if given is None or isinstance(given, bool | int | float | str | bytes | list | tuple | dict):
        import reprlib  # needed only after an error

        return reprlib.repr(given)
    name = type(given).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
