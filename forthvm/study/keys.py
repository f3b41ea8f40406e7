"""The key by which the study layer identifies positions, and its text form.

Delegates the comparison of memory to game/memory/sameness.py.

`Position.key` also covers the random streams, which differ by the seeds of a match's games, and the
player of the last board edit, which only the engine `axiom` reads.  The key of this file leaves
both out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.game.memory.sameness import key_of

if TYPE_CHECKING:
    from forthvm.game import Position

__all__ = ["key_text", "position_key"]


def position_key(position: Position) -> int:
    """Return a 64-bit hash of what the rules of a position depend on, without random streams.

    In contrast to `Position.key`, the hash covers neither the random streams nor the player of the
    last board edit, so that positions of games with different seeds have equal keys.  Keys of games
    with other sources or settings are not comparable.

    Raises:
        ForthVMError: The script's OnForget fails.

    >>> import forthvm
    >>> position = forthvm.load("tictactoe").start()
    >>> position.seed(1)
    >>> position_key(position) == position_key(position.game.start())
    True
    """
    return key_of(position._loaded, position._state, rules_only=True)


def key_text(key: int) -> str:
    """Return a key as 16 hexadecimal digits, since JSON numbers are exact only up to 2^53."""
    return f"{key & 0xFFFFFFFFFFFFFFFF:016x}"
