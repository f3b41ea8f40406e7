"""The lead of the player who moves first, in points, as a word of the script computes it.

Owns running the word, which the statement `lead` of a `.notation` file names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.failure import ForthVMError

from .short_notation import short_notation

if TYPE_CHECKING:
    from .position import Position

__all__ = ["lead_of"]


def lead_of(position: Position) -> float | None:
    """Return the lead in points, negative if the other player leads; None without a word for it.

    Raises:
        ForthVMError: The script fails, or the word does not return one number.

    >>> import forthvm
    >>> lead_of(forthvm.load("go").start())
    -7.0
    """
    notation = short_notation(position._loaded)
    if notation is None or notation.lead is None:
        return None
    word, unit = notation.lead
    with position._in_memory():
        numbers = position._loaded.vm.call(word)
    if len(numbers) != 1:
        raise ForthVMError(f"`{word}` must return the lead, one number, not {len(numbers)}")
    return numbers[0] / unit
