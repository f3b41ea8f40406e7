"""Watchpoints: variables, items of arrays, squares of the board, ranges of memory.

Owns the parsing of watchpoints and the text form of their values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, LOWEST
from forthvm.core.errors import ForthVMError
from forthvm.debug.session.cell_text import cell_text
from forthvm.game.tables import cells_of

from .stop_points import StopPoint

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.core.vm import VM

    from .targets import Target

__all__ = ["Changed", "Watched", "Watchpoint", "make_watchpoint"]

MAX_WATCHPOINTS = 64
_LENGTH = re.compile(r"(?P<forth>.+?)\s+(?P<unit>for|bytes)\s+(?P<count>\d+)\Z")
_MAX_SHOWN_CELLS = 8


@dataclass(frozen=True)
class Watched:
    """The current value of a watchpoint, as text and as bytes."""

    number: int
    name: str
    value: str
    data: bytes


@dataclass(frozen=True)
class Changed:
    """A change that stopped a run: the watchpoint and its values before and after as text."""

    number: int
    name: str
    old: str
    new: str


class Watchpoint(StopPoint):
    """A watched range of memory.

    Attributes:
        index: The index of the range among those that the trace watches.
        address: The address of the range; in the board an offset from the board's beginning.
        base: In the board, the address of the variable that points to the board; else 0.
        length: The length of the range in bytes.
        show: Returns the bytes of the range as text.
    """

    def __init__(  # noqa: PLR0913 - a record
        self,
        number: int,
        index: int,
        text: str,
        address: int,
        length: int,
        *,
        base: int = 0,
        show: Callable[[bytes], str],
    ) -> None:
        super().__init__(number, text)
        self.index = index
        self.address = address
        self.base = base
        self.length = length
        self.show = show

    def __str__(self) -> str:
        return f"{self.number}: {self.text}{self.conditions}"


def make_watchpoint(
    number: int,
    index: int,
    text: str,
    target: Target,
    evaluate: Callable[[str], tuple[int, ...]],
) -> Watchpoint:
    """Parse a watchpoint: Forth that leaves an address, or `on SQUARE` of the board.

    `for N` after the address watches N cells, `bytes N` watches N bytes.  The default is one cell.

    Raises:
        ForthVMError: The text leaves no address, or an address outside memory.
    """
    text = text.strip()
    if not text:
        raise ForthVMError("watch: a variable, Forth that leaves an address, or `on SQUARE`")
    forth, length = text, CELL
    match = _LENGTH.match(text)
    if match is not None:
        forth = match["forth"]
        length = int(match["count"]) * (CELL if match["unit"] == "for" else 1)
    words = forth.split()
    if words[0] == "on":
        return _square(number, index, words[1:], target)
    results = evaluate(forth)
    if not results:
        raise ForthVMError(f"`{forth}` leaves no address")
    address = results[-1] & 0xFFFFFFFF
    size = target.vm.native.memory_size()
    if length < 1 or not LOWEST <= address < size or size - address < length:
        raise ForthVMError(f"`{forth}` leaves {results[-1]}, which is not a valid address")
    show = partial(_show_cells, target.vm) if length % CELL == 0 else _show_bytes
    board = _board_at(target, address)
    if board:  # watch the same offset in every board, because searches work on copies of the board
        base, start = board
        return Watchpoint(number, index, text, address - start, length, base=base, show=show)
    return Watchpoint(number, index, text, address, length, show=show)


def _board_at(target: Target, address: int) -> tuple[int, int] | None:
    """Return the addresses of the board and its variable, if the board contains `address`."""
    if target.game is None:
        return None
    native, variables = target.vm.native, target.game._loaded.tables.variables
    start, size = native.read_cell(variables.board), native.read_cell(variables.board_size)
    return (variables.board, start) if start <= address < start + size else None


def _square(number: int, index: int, names: list[str], target: Target) -> Watchpoint:
    game = target.game
    if game is None:
        raise ForthVMError("watch on: this VM has no board")
    if len(names) != 1 or names[0] not in game._loaded.position_index:
        raise ForthVMError(f"watch on: no position {' '.join(names)!r} on the board")
    roster = game._loaded.roster

    def show(data: bytes) -> str:
        piece = roster.piece(cells_of(data)[0])
        return str(piece) if piece is not None else "empty"

    offset = CELL * game._loaded.position_index[names[0]]
    base = game._loaded.tables.variables.board
    return Watchpoint(number, index, f"on {names[0]}", offset, CELL, base=base, show=show)


def _show_cells(vm: VM, data: bytes) -> str:
    cells = cells_of(data)
    if len(cells) <= _MAX_SHOWN_CELLS:
        return " ".join(cell_text(vm, cell) for cell in cells)
    items = [f"[{at}] {cell_text(vm, value)}" for at, value in enumerate(cells) if value]
    shown = ", ".join(items[:_MAX_SHOWN_CELLS]) + (" …" if len(items) > _MAX_SHOWN_CELLS else "")
    return f"{len(cells)} cells: {shown or 'all 0'}"


def _show_bytes(data: bytes) -> str:
    return data[: 4 * _MAX_SHOWN_CELLS].hex(" ") + (
        " …" if len(data) > 4 * _MAX_SHOWN_CELLS else ""
    )
