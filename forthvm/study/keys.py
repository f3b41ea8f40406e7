"""The key by which the study layer identifies positions, and its text form.

It must not know how memory is compared (game/memory/sameness.py).

The random streams of a match's games differ by their seeds, and so does `Position.key`, even if
the rules draw no random numbers.  The key of this file leaves the streams out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.game.memory.sameness import key_of

if TYPE_CHECKING:
    from forthvm.game import Position

__all__ = ["key_text", "position_key"]


def position_key(position: Position) -> int:
    """Return the `Position.key` that a position has with the random streams of a new game.

    Positions of games with different seeds therefore have equal keys.  For games that begin with
    `Game.start` and draw no random numbers, the key equals `Position.key`.

    Raises:
        ForthVMError: The script's OnForget fails.

    >>> import forthvm
    >>> position = forthvm.load("tictactoe").start()
    >>> position.seed(1)
    >>> position_key(position) == position.game.start().key
    True
    """
    return key_of(position.game, position.state, random_streams=False)


def key_text(key: int) -> str:
    """Return a key as 16 hexadecimal digits, since JSON numbers are exact only up to 2^53."""
    return f"{key & 0xFFFFFFFFFFFFFFFF:016x}"
