"""The short texts of moves for front ends, which show them in place of the texts of the game.

Owns when a front end gets none: if a move has no other text, or it is not legal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.text.visible import visible
from forthvm.game.short_notation import short_notation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.game import Move, Position

__all__ = ["short_line", "shortened"]


def shortened(move: Move | None) -> str:
    """Return the short text of a move; "" without a move, or if its text is the same."""
    return "" if move is None or move.short == move.text else visible(move.short)


def short_line(position: Position, texts: Sequence[str]) -> list[str]:
    """Return the short texts of moves that follow a position, as far as they are legal there."""
    line: list[str] = []
    if short_notation(position._loaded) is None:
        return line
    position = position.copy()
    try:
        for text in texts:
            while position.is_stuck:
                position.push_pass()
            move = position.parse(text)
            line.append(shortened(move))
            position.push(move)
    except ForthVMError:
        pass
    return line
