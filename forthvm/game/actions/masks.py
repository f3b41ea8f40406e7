"""The legal actions of a position: as numbers, as a mask in the caller's array, as moves.

Owns the accepted arrays.  numbering.py gives moves their numbers.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from forthvm.game.moves import Move
    from forthvm.game.position_queries import PositionQueries

__all__ = ["legal_actions_of", "mask_of", "move_of"]

_FORMATS = "fdbBhHiIlLqQ?"
_NO_ACTIONS = memoryview(array("i")).toreadonly()


def legal_actions_of(position: PositionQueries) -> memoryview[int]:
    """Return `Position.legal_actions`."""
    if position.result is not None:
        return _NO_ACTIONS
    numbers = dict.fromkeys(position.legal_moves.actions)
    return memoryview(array("i", [number for number in numbers if number >= 0])).toreadonly()


def mask_of(position: PositionQueries, out: Buffer | None) -> Buffer:
    """Return `Position.action_mask`."""
    size = len(position.game.actions)
    numbers = legal_actions_of(position)  # before the array is changed
    given = array("B", bytes(size)) if out is None else out
    try:
        view = memoryview(given)
    except TypeError:
        raise ValueError(f"expected an array for the mask, not {given!r}") from None
    suitable = view.shape == (size,) and view.format in _FORMATS
    if not suitable or view.readonly or not view.c_contiguous:
        raise ValueError(
            f"an array for the mask must be writable, contiguous and have {size} numbers, not "
            f"{view.shape} items {view.format!r}"
        )
    view.cast("B")[:] = bytes(view.nbytes)
    for number in numbers:
        view[number] = 1
    return given


def move_of(position: PositionQueries, action: int) -> Move:
    """Return `Position.move_of`."""
    from forthvm.core.errors import IllegalMoveError

    if position.result is None:
        moves = position.legal_moves
        for index, number in enumerate(moves.actions):
            if number == action >= 0:
                return moves[index]
    text = position.game.actions.text(action)
    raise IllegalMoveError(f"the action {action} ({text}) is not legal for {position.turn}")
