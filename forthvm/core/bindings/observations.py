"""Plans of observations: the tables by which the C core writes planes from board cells.

Owns the memory of a plan, and the checks that keep the core from reading or writing outside tables
and arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .clib import ffi, lib
from .layout import CELL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer

    from forthvm.core.records import ObservationTables, ObservedNumber

    from .clib import CData

__all__ = ["ObservationPlan"]

_ATTRIBUTE_BITS = 16
_OWNERS = 64


class ObservationPlan:
    """A plan in the memory of the core, which any number of threads may use.

    Attributes:
        pointer: The `fvm_observation`, for other functions of the core.
        history: Number of boards.
        size: Number of items of an observation.
    """

    def __init__(self, tables: ObservationTables) -> None:
        """Copy the tables.

        Raises:
            ValueError: A table has another length than it should, or a number is out of range.
        """
        _check(tables)
        self._board_bytes = max([CELL * tables.positions, *_ends(tables)])
        plan = ffi.new("fvm_observation *")
        self._tables: list[CData] = []  # memory to which the plan refers
        for name in ("cells", "board_planes", "state_planes", "history", "positions", "viewer"):
            setattr(plan, name, getattr(tables, name))
        plan.types, plan.turns = len(tables.sight_of) - 1, len(tables.phases)
        for name in ("places", "owners", "type_planes", "owner_planes", "unknown_planes", "phases"):
            setattr(plan, name, self._keep("int32_t[]", getattr(tables, name)))
        for name in ("sight_on", "sight_of"):
            setattr(plan, name, self._keep("uint8_t[]", getattr(tables, name)))
        plan.attribute_planes = list(tables.attribute_planes)
        plan.variable_count = len(tables.variables)
        plan.state_number_count = len(tables.state_numbers)
        for name in ("variables", "state_numbers"):
            numbers = [vars(number) for number in getattr(tables, name)]
            setattr(plan, name, self._keep("fvm_observed_number[]", numbers))
        self.pointer: CData = plan
        self.history = tables.history
        self.size: int = lib.fvm_observation_size(plan)

    def observe(
        self, boards: Sequence[bytes | None], state: Sequence[int], out: Buffer, *, uint8: bool
    ) -> None:
        """Write an observation.

        Args:
            boards: The cells of each board, the newest first; None: none.
            state: The numbers FVM_OBSERVE_... of the state.
            out: A writable array of `size` items of 4 bytes, or of 1 byte with `uint8`.
            uint8: Whether the items are bytes.

        Raises:
            ValueError: There are too few boards, cells or items.
        """
        target = ffi.from_buffer(out, require_writable=True)
        needed = self.size * (1 if uint8 else 4)
        if len(target) != needed:
            raise ValueError(f"the array has {len(target)} bytes instead of {needed}")
        if len(boards) != self.history or len(state) != lib.FVM_OBSERVE_STATE:
            raise ValueError(f"{len(boards)} boards, {len(state)} numbers of the state")
        if any(board is not None and len(board) < self._board_bytes for board in boards):
            raise ValueError(f"a board has fewer than {self._board_bytes} bytes")
        cells = [ffi.NULL if board is None else ffi.from_buffer(board) for board in boards]
        pointers = ffi.new("void *[]", cells)
        numbers = ffi.new("fvm_cell[]", list(state))
        kind = lib.FVM_OBSERVE_UINT8 if uint8 else lib.FVM_OBSERVE_FLOAT32
        lib.fvm_observe(self.pointer, pointers, numbers, target, kind)

    def _keep(self, kind: str, values: Sequence[object]) -> CData:
        table = ffi.new(kind, list(values))
        self._tables.append(table)
        return table


def _ends(tables: ObservationTables) -> list[int]:
    """Return how many bytes of a board each variable needs."""
    return [number.source + number.width for number in tables.variables]


def _check(tables: ObservationTables) -> None:
    """Raise ValueError if the core would read or write outside the tables and arrays."""
    rows, types = len(tables.owner_planes), len(tables.sight_of)
    planes = range(-1, tables.board_planes)
    right = (
        rows > 0
        and types > 0
        and min(tables.positions, tables.board_planes, tables.state_planes) >= 0
        and min(tables.cells, tables.history) > 0
        and len(tables.places) == len(tables.sight_on) == tables.positions
        and all(-1 <= place < tables.cells for place in tables.places)
        and len(tables.owners) == _OWNERS
        and all(0 <= row < rows for row in tables.owners)
        and len(tables.unknown_planes) == rows
        and len(tables.type_planes) == rows * types
        and len(tables.attribute_planes) == _ATTRIBUTE_BITS
        and all(plane in planes for plane in tables.type_planes)
        and all(plane in planes for plane in tables.owner_planes)
        and all(plane in planes for plane in tables.unknown_planes)
        and all(plane in planes for plane in tables.attribute_planes)
        and all(n.source >= 0 and n.width in (1, CELL) for n in tables.variables)
        and all(0 <= n.source < lib.FVM_OBSERVE_STATE for n in tables.state_numbers)
        and _fits(tables.variables, tables.board_planes, tables.cells)
        and _fits(tables.state_numbers, tables.state_planes, tables.cells)
    )
    if not right:
        raise ValueError("the tables of an observation do not fit together")


def _fits(numbers: Sequence[ObservedNumber], planes: int, cells: int) -> bool:
    return all(0 <= n.plane < planes and -1 <= n.place < cells for n in numbers)
