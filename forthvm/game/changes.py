"""The changes that a move makes, as values.

Owns a class for each kind of change.  moves.py creates these values from the VM's
records, and rule_files.py the movements of rule files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.record import Record

if TYPE_CHECKING:
    from .pieces import Piece

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


class Change(Record):
    """One change that a move makes; a move makes its changes in order."""


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
    """A piece is put on a square, by a drop or otherwise; another piece there is removed."""

    square: str
    piece: Piece | None


class Captured(Change):
    """A square becomes empty; `piece` was on the square when the move was generated."""

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
    """The move runs a word that the script added to the move by COMPILE.

    Attributes:
        word: Name of the word.
        args: Arguments of the word: the numbers that were compiled before the word.
    """

    word: str
    args: tuple[int, ...] = ()
