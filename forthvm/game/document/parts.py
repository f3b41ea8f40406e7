"""Reads the lists of a saved position: moves, memory, stacks.

Owns all checks of these lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from forthvm.core.bindings.layout import CELL
from forthvm.core.errors import PositionError
from forthvm.game.history import HistoryEntry

if TYPE_CHECKING:
    from forthvm.game.game import Game
    from forthvm.game.memory.differences import CellRun

    from .replay import EngineChanges

__all__ = [
    "MAX_PLIES",
    "integer",
    "integer_field",
    "read_engine_changes",
    "read_history",
    "read_runs",
    "read_stack",
    "refuse",
]

_MAX_CELLS = 4 << 20
_MAX_STACK = 6144
_MIN_CELL, _MAX_CELL = -(2**31), 2**31 - 1
_MAX_ADDRESS = 2**32 - 4
MAX_PLIES = 1_000_000
"""Maximum number of plies; no real game has as many."""
_ENTRY_KEYS = frozenset({"player", "move", "index"})


def refuse(reason: str) -> NoReturn:
    """Refuse a document for a reason.

    Raises:
        PositionError: Always.
    """
    raise PositionError(f"not a valid position: {reason}")


def integer_field(values: dict[str, Any], key: str, low: int, high: int) -> int:
    """Return a field that must be an integer in a range."""
    return integer(values[key], f"`{key}`", low, high)


def integer(value: object, what: str, low: int = _MIN_CELL, high: int = _MAX_CELL) -> int:
    """Return a value that must be an integer in a range; `what` names it in the message."""
    if not isinstance(value, int) or isinstance(value, bool):
        refuse(f"{what} is not an integer")
    if not low <= value <= high:
        refuse(f"{what} is out of range")
    return value


def read_history(document: dict[str, Any], game: Game) -> list[HistoryEntry]:
    """Read the moves played, the oldest first."""
    value = document["history"]
    if not isinstance(value, list) or len(value) > MAX_PLIES:
        refuse("`history` is not a list of moves")
    history = []
    for entry in value:
        if not isinstance(entry, dict) or entry.keys() - {"left"} != _ENTRY_KEYS:
            refuse("`history` has an entry that is not a move")
        if entry["player"] not in game.players or not isinstance(entry["move"], str):
            refuse("`history` has a move of an unknown player")
        index = integer(entry["index"], "`index` of a move", -1, 2**31 - 1)
        history.append(HistoryEntry(entry["player"], entry["move"], index))
    return history


def read_engine_changes(document: dict[str, Any]) -> EngineChanges:
    """Read the changes that engines of the script made to memory before a move, by ply."""
    changes: EngineChanges = {}
    for ply, entry in enumerate(document["history"]):
        if "left" in entry:
            values = entry["left"]
            if not isinstance(values, dict) or set(values) != {"memory", "stack"}:
                refuse("`left` of a move is not memory and stack")
            changes[ply] = read_runs(values, "memory"), read_stack(values, "stack")
    return changes


def read_runs(values: dict[str, Any], key: str) -> list[CellRun]:
    """Read runs of adjacent cells, each with its first address, in order of address."""
    value = values[key]
    if not isinstance(value, list):
        refuse(f"`{key}` is not a list")
    runs: list[CellRun] = []
    cell_count = 0
    end = 0  # address after the last run
    for entry in value:
        match entry:
            case [first, list(values_of_cells)]:
                address = integer(first, "an address", 0, _MAX_ADDRESS)
                cells = tuple(integer(cell, "a cell") for cell in values_of_cells)
            case _:
                refuse(f"`{key}` has an entry that is not an address with cells")
        if address % CELL or address < end or not cells:
            refuse(f"`{key}` is not in order at {address}")
        end = address + CELL * len(cells)
        cell_count += len(cells)
        if cell_count > _MAX_CELLS or end > _MAX_ADDRESS:
            refuse(f"`{key}` is larger than any memory")
        runs.append((address, cells))
    return runs


def read_stack(values: dict[str, Any], key: str) -> tuple[int, ...]:
    """Read the cells of a stack."""
    value = values[key]
    if not isinstance(value, list) or len(value) > _MAX_STACK:
        refuse(f"`{key}` is not a stack")
    return tuple(integer(cell, "a cell of the stack") for cell in value)
