"""The changes of a move to the board, as values.

Owns a class for each kind of edit that a move can contain.  It must not know how the VM stores
moves; moves.py creates these values from the VM's records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.value import Value

if TYPE_CHECKING:
    from forthvm.game.definition.pieces import Piece

__all__ = [
    "Called",
    "Captured",
    "Change",
    "Continued",
    "Created",
    "Moved",
    "OwnerChanged",
    "Passed",
    "TypeChanged",
]


class Change(Value):
    """One step of a move; the steps of a move are applied in order."""


class Moved(Change):
    """A piece moves from one square to another.

    Attributes:
        piece: The piece on the source when the move was generated.
        replaced: The piece on the target when the move was generated; the move removes it.
    """

    source: str
    target: str
    piece: Piece | None
    replaced: Piece | None = None


class Created(Change):
    """A piece is dropped or created on a square; it replaces a piece there."""

    square: str
    piece: Piece | None


class Captured(Change):
    """A square is emptied; `piece` was there when the move was generated."""

    square: str
    piece: Piece | None = None


class TypeChanged(Change):
    """The piece on a square gets another type."""

    square: str
    type: str


class OwnerChanged(Change):
    """The piece on a square gets another owner."""

    square: str
    player: str | None


class Passed(Change):
    """The move is a pass."""


class Continued(Change):
    """The same player continues the turn, only with moves of `type` (0: any type)."""

    type: int = 0


class Called(Change):
    """A word of the script runs (COMPILE), with the numbers compiled before it."""

    word: str
    args: tuple[int, ...] = ()
