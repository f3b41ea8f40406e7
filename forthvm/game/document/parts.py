"""Reads the lists of a saved position: moves, memory, stacks.

Owns all checks of these lists.  It must not know VMs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from forthvm.core.bindings.layout import CELL
from forthvm.core.errors import PositionError
from forthvm.game.history import HistoryEntry

if TYPE_CHECKING:
    from forthvm.game.game import Game
    from forthvm.game.memory.differences import Run

    from .replay import Left

__all__ = [
    "MAX_PLIES",
    "bad",
    "integer_field",
    "number",
    "read_history",
    "read_left",
    "read_runs",
    "read_stack",
]

_MAX_CELLS = 4 << 20
_MAX_STACK = 6144
_CELL_LOW, _CELL_HIGH = -(2**31), 2**31 - 1
_ADDRESS_HIGH = 2**32 - 4
MAX_PLIES = 1_000_000
"""Larger than in any real game."""
_ENTRY = frozenset({"player", "move", "index"})


def bad(what: str) -> NoReturn:
    """Refuse a document.

    Raises:
        PositionError: Always.
    """
    raise PositionError(f"not a valid position: {what}")


def integer_field(values: dict[str, Any], key: str, low: int, high: int) -> int:
    """Return a field that must be an integer in a range."""
    return number(values[key], f"`{key}`", low, high)


def number(value: object, what: str, low: int = _CELL_LOW, high: int = _CELL_HIGH) -> int:
    """Return a value that must be an integer in a range; `what` names it in the message."""
    if not isinstance(value, int) or isinstance(value, bool):
        bad(f"{what} is not an integer")
    if not low <= value <= high:
        bad(f"{what} is out of range")
    return value


def read_history(document: dict[str, Any], game: Game) -> list[HistoryEntry]:
    """Read the moves made so far."""
    value = document["history"]
    if not isinstance(value, list) or len(value) > MAX_PLIES:
        bad("`history` is not a list of moves")
    history = []
    for entry in value:
        if not isinstance(entry, dict) or entry.keys() - {"left"} != _ENTRY:
            bad("`history` has an entry that is not a move")
        if entry["player"] not in game.players or not isinstance(entry["move"], str):
            bad("`history` has a move of an unknown player")
        index = number(entry["index"], "`index` of a move", -1, 2**31 - 1)
        history.append(HistoryEntry(entry["player"], entry["move"], index))
    return history


def read_left(document: dict[str, Any]) -> Left:
    """Read the changes to memory by engines of the script, by ply."""
    left: Left = {}
    for ply, entry in enumerate(document["history"]):
        if "left" in entry:
            values = entry["left"]
            if not isinstance(values, dict) or set(values) != {"memory", "stack"}:
                bad("`left` of a move is not memory and stack")
            left[ply] = read_runs(values, "memory"), read_stack(values, "stack")
    return left


def read_runs(values: dict[str, Any], key: str) -> list[Run]:
    """Read runs of cells with their addresses, in order."""
    value = values[key]
    if not isinstance(value, list):
        bad(f"`{key}` is not a list")
    runs: list[Run] = []
    total, free = 0, 0
    for entry in value:
        match entry:
            case [first, list(rest)]:
                address = number(first, "an address", 0, _ADDRESS_HIGH)
                cells = tuple(number(cell, "a cell") for cell in rest)
            case _:
                bad(f"`{key}` has an entry that is not an address with cells")
        if address % CELL or address < free or not cells:
            bad(f"`{key}` is not in order at {address}")
        free = address + CELL * len(cells)
        total += len(cells)
        if total > _MAX_CELLS or free > _ADDRESS_HIGH:
            bad(f"`{key}` is larger than any memory")
        runs.append((address, cells))
    return runs


def read_stack(values: dict[str, Any], key: str) -> tuple[int, ...]:
    """Read the cells of a stack."""
    value = values[key]
    if not isinstance(value, list) or len(value) > _MAX_STACK:
        bad(f"`{key}` is not a stack")
    return tuple(number(cell, "a cell of the stack") for cell in value)
