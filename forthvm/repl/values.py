"""Possible meanings of a cell: a float, a word, a text, a position, a piece.

Owns the heuristics: cells have no type, so a meaning is shown only if the number is unlikely to
have another one.  It must not know how a meaning is displayed.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import HEADER, OWNER_MASK, PAD, TYPE_MASK
from forthvm.core.errors import ForthVMError

if TYPE_CHECKING:
    from forthvm.repl.session import Session

__all__ = ["readings", "word_at"]

_LOWEST_TEXT = PAD  # the lowest address of texts
_MAX_TEXT = 40  # characters of a text that are shown
_MIN_TEXT = 2  # characters of the shortest text
_SMALLEST_FLOAT_BITS = 1 << 23  # the bits of the smallest normal float
_PIECE_BITS = TYPE_MASK | OWNER_MASK


def readings(session: Session, cell: int) -> list[str]:
    """Return the possible meanings of a cell, the most likely first; empty for a plain number."""
    meanings = [
        _position(session, cell),
        _piece(session, cell),
        _word(session, cell),
        _text(session, cell),
        _float(cell),
    ]
    return [reading for reading in meanings if reading]


def word_at(session: Session, cell: int) -> str:
    """Return the name of the word whose execution token a cell is, else ""."""
    native = session.vm.native
    nfa = cell - HEADER
    try:
        if cell < _LOWEST_TEXT or native.primitive(cell) < 0 or native.word_at(cell) != nfa:
            return ""
        return native.name(nfa)
    except ForthVMError:
        return ""


def _position(session: Session, cell: int) -> str:
    game = session.game
    if game is None or not 0 <= cell < len(game.positions) or game.positions[cell] == "??":
        return ""
    return game.positions[cell]


def _piece(session: Session, cell: int) -> str:
    """Return a piece with an owner, or a player; types without an owner equal small numbers."""
    game = session.game
    if game is None or not cell & OWNER_MASK or cell < 0 or cell & ~_PIECE_BITS:
        return ""
    owner = game.roster.owner(cell) or "#"
    kind = cell & TYPE_MASK
    name = game.roster.type_name(kind) if kind else ""
    return "" if "#" in (owner[:1], name[:1]) else f"{owner} {name}".strip()


def _word(session: Session, cell: int) -> str:
    name = word_at(session, cell)
    return f"' {name}" if name else ""


def _text(session: Session, cell: int) -> str:
    memory = session.vm.native
    size = memory.memory_size()
    if not _LOWEST_TEXT <= cell < size:
        return ""
    data = memory.read(cell, min(_MAX_TEXT + 1, size - cell))
    line, zero, _ = data.partition(b"\0")
    text = memory.codec.decode(line)
    if len(text) < _MIN_TEXT or not text.isprintable():
        return ""
    return f'"{text}"' if zero else f'"{text[:_MAX_TEXT]}…'


def _float(cell: int) -> str:
    if abs(cell) < _SMALLEST_FLOAT_BITS:
        return ""
    number: float = struct.unpack("<f", (cell & 0xFFFFFFFF).to_bytes(4, "little"))[0]
    if not math.isfinite(number) or not 1e-9 < abs(number) < 1e12:  # noqa: PLR2004 - plausible
        return ""
    return f"{number:.6g}" if number % 1 else f"{number:.1f}"
