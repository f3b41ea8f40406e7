"""Possible meanings of a cell: a float, a word, a text, a board position, a piece, a player.

Owns the heuristics.  Cells have no type, so a number can have several meanings, or none.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import OWNER_MASK, PAD, TYPE_MASK
from forthvm.core.words.code import word_name

if TYPE_CHECKING:
    from forthvm.repl.session import Session

__all__ = ["possible_meanings"]

_LOWEST_ADDRESS = PAD  # smaller numbers are not addresses of words or texts
_MAX_SHOWN_CHARACTERS = 40  # of a text
_MIN_CHARACTERS = 2  # of a text
_SMALLEST_FLOAT_BITS = 1 << 23  # the bits of the smallest normal float
_NO_NAME = "??"  # the name of board positions without a name
_PIECE_BITS = TYPE_MASK | OWNER_MASK


def possible_meanings(session: Session, cell: int) -> list[str]:
    """Return the possible meanings of a cell, the most likely first; empty for a plain number."""
    meanings = [
        _board_position(session, cell),
        _piece(session, cell),
        _word(session, cell),
        _text(session, cell),
        _float(cell),
    ]
    return [meaning for meaning in meanings if meaning]


def _board_position(session: Session, cell: int) -> str:
    game = session.game
    if game is None or not 0 <= cell < len(game.positions) or game.positions[cell] == _NO_NAME:
        return ""
    return game.positions[cell]


def _piece(session: Session, cell: int) -> str:
    """Return the names of a piece and its owner, or the name of a player.

    A piece type without an owner has no meaning here, because most small numbers would match one.
    """
    game = session.game
    if game is None or not cell & OWNER_MASK or cell < 0 or cell & ~_PIECE_BITS:
        return ""
    owner = (
        game._loaded.roster.owner(cell) or "#"
    )  # the names of unknown owners and types begin with #
    type_number = cell & TYPE_MASK
    type_name = game._loaded.roster.type_name(type_number) if type_number else ""
    return "" if "#" in (owner[:1], type_name[:1]) else f"{owner} {type_name}".strip()


def _word(session: Session, cell: int) -> str:
    name = word_name(session.vm.native, cell)
    return f"' {name}" if name else ""


def _text(session: Session, cell: int) -> str:
    memory = session.vm.native
    size = memory.memory_size()
    if not _LOWEST_ADDRESS <= cell < size:
        return ""
    data = memory.read(cell, min(_MAX_SHOWN_CHARACTERS + 1, size - cell))
    characters, zero, _ = data.partition(b"\0")
    text = memory.codec.decode(characters)
    if len(text) < _MIN_CHARACTERS or not text.isprintable():
        return ""
    return f'"{text}"' if zero else f'"{text[:_MAX_SHOWN_CHARACTERS]}…'


def _float(cell: int) -> str:
    if abs(cell) < _SMALLEST_FLOAT_BITS:
        return ""
    number: float = struct.unpack("<f", (cell & 0xFFFFFFFF).to_bytes(4, "little"))[0]
    if not math.isfinite(number) or not 1e-9 < abs(number) < 1e12:  # plausible
        return ""
    return f"{number:.6g}" if number % 1 else f"{number:.1f}"
