"""The abstract state of both stacks at an instruction, relative to the start of the definition.

This file owns the join of states: the state that covers two paths.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .cells import UNKNOWN, Cell, join

__all__ = ["Loop", "State", "merge"]


@dataclass(frozen=True, slots=True)
class Loop:
    """A counted loop, which has three cells on the return stack: a mark, the limit, the index."""

    limit: Cell
    loop_index: Cell  # the index
    increment: int | None  # of the index in each iteration; None if unknown


class State(NamedTuple):
    """The parameter stack and the part of the return stack above the return address.

    An *explicit* cell is in `cells`.  The cells of the caller are not in `cells` at first: a cell
    becomes explicit when the definition accesses it.

    Attributes:
        taken: Number of the caller's cells that have become explicit; some may have been popped.
        cells: The explicit cells, the top last.
        return_items: The cells and loops that the definition put on the return stack, top last.
        popped_return_address: Whether the definition has popped its return address.
        loop_heights: For each open loop the address of its head, and `height` when the path last
            reached the head.
    """

    taken: int = 0
    cells: tuple[Cell, ...] = ()
    return_items: tuple[Cell | Loop, ...] = ()
    popped_return_address: bool = False
    loop_heights: tuple[tuple[int, int], ...] = ()

    @property
    def height(self) -> int:
        """The depth of the parameter stack minus its depth at the start of the definition."""
        return len(self.cells) - self.taken

    @property
    def key(self) -> tuple[object, ...]:
        """The facts in which states must agree to be joined."""
        shape = tuple([isinstance(item, Loop) for item in self.return_items])
        height = len(self.cells) - self.taken
        return (height, shape, self.popped_return_address, self.loop_heights)

    def push(self, *cells: Cell) -> State:
        """Return the state with cells pushed on the parameter stack."""
        return self.with_cells(self.cells + cells)

    def with_cells(self, cells: tuple[Cell, ...]) -> State:
        """Return the state with other explicit cells; faster than `_replace`."""
        return State(self.taken, cells, *self[2:])

    def return_cells(self) -> list[Cell]:
        """Return the cells of the return stack, the top first."""
        cells: list[Cell] = []
        for item in reversed(self.return_items):
            cells += [item.loop_index, item.limit, UNKNOWN] if isinstance(item, Loop) else [item]
        return cells


def merge(a: State, b: State, xts: frozenset[int], arguments: dict[int, Cell]) -> State:
    """Return the state that covers two states with equal keys."""
    taken = max(a.taken, b.taken)
    pairs = zip(_cells_from(a, taken, arguments), _cells_from(b, taken, arguments), strict=True)
    return_items = tuple(
        _merge_return_item(x, y, xts) for x, y in zip(a.return_items, b.return_items, strict=True)
    )
    cells = tuple(join(x, y, xts) for x, y in pairs)
    return State(taken, cells, return_items, a.popped_return_address, a.loop_heights)


def _cells_from(state: State, taken: int, arguments: dict[int, Cell]) -> tuple[Cell, ...]:
    """Return the explicit cells of a state in which `taken` of the caller's cells are explicit."""
    below = [argument(n, arguments) for n in range(taken - 1, state.taken - 1, -1)]
    return (*below, *state.cells)


def argument(number: int, arguments: dict[int, Cell]) -> Cell:
    """Return the abstract cell of an argument."""
    return arguments.get(number) or Cell(None, number, frozenset({number}))


def _merge_return_item(x: Cell | Loop, y: Cell | Loop, xts: frozenset[int]) -> Cell | Loop:
    if isinstance(x, Loop) and isinstance(y, Loop):
        limit, loop_index = join(x.limit, y.limit, xts), join(x.loop_index, y.loop_index, xts)
        return Loop(limit, loop_index, x.increment)
    if isinstance(x, Cell) and isinstance(y, Cell):
        return join(x, y, xts)
    return UNKNOWN
