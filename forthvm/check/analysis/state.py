"""The abstract state of both stacks at an instruction, relative to the start of the definition.

This file owns the push and join of states.  It must not know words.
"""

from __future__ import annotations

from typing import NamedTuple

from .cells import UNKNOWN, Cell, join

__all__ = ["Loop", "State", "merge"]


class Loop(NamedTuple):
    """A counted loop on the return stack: three cells, of which the lowest is not stored here."""

    limit: Cell
    current: Cell  # the index
    by_one: bool  # the loop ends in LOOP, so the index increases by 1 up to the limit


class State(NamedTuple):
    """The parameter stack relative to the start, and the return stack above the return address.

    A cell that the caller left on the parameter stack is *explicit* once the definition accesses
    it: `cells` contains it until it is popped.

    Attributes:
        taken: Number of the caller's cells that have become explicit, including popped ones.
        cells: The explicit cells, on top of the caller's remaining cells; the top last.
        return_items: The cells and loops that the definition put on the return stack, top last.
        popped: The definition has popped its return address.
        marks: For each open loop, the address of its head and `height` at its last entry.
    """

    taken: int = 0
    cells: tuple[Cell, ...] = ()
    return_items: tuple[Cell | Loop, ...] = ()
    popped: bool = False
    marks: tuple[tuple[int, int], ...] = ()

    @property
    def height(self) -> int:
        """The depth of the stack, relative to the start."""
        return len(self.cells) - self.taken

    @property
    def key(self) -> tuple[object, ...]:
        """The key: states with equal keys are joined."""
        shape = tuple(isinstance(item, Loop) for item in self.return_items)
        return (self.height, shape, self.popped, self.marks)

    def push(self, *cells: Cell) -> State:
        """Return the state with cells pushed on the parameter stack."""
        return self._replace(cells=self.cells + cells)

    def return_cells(self) -> list[Cell]:
        """Return the cells of the return stack, the top first."""
        cells: list[Cell] = []
        for item in reversed(self.return_items):
            cells += [item.current, item.limit, UNKNOWN] if isinstance(item, Loop) else [item]
        return cells


def merge(a: State, b: State, tokens: frozenset[int], arguments: dict[int, Cell]) -> State:
    """Return the join of two states with the same key."""
    taken = max(a.taken, b.taken)
    pairs = zip(_cells_from(a, taken, arguments), _cells_from(b, taken, arguments), strict=True)
    return_items = tuple(
        _merge_return_item(x, y, tokens)
        for x, y in zip(a.return_items, b.return_items, strict=True)
    )
    cells = tuple(join(x, y, tokens) for x, y in pairs)
    return State(taken, cells, return_items, a.popped, a.marks)


def _cells_from(state: State, taken: int, arguments: dict[int, Cell]) -> tuple[Cell, ...]:
    """Return the explicit cells after `taken` of the caller's cells have become explicit."""
    below = [argument(n, arguments) for n in range(taken - 1, state.taken - 1, -1)]
    return (*below, *state.cells)


def argument(number: int, arguments: dict[int, Cell]) -> Cell:
    """Return the cell for the caller's stack item at a depth, 0 for the top."""
    return arguments.get(number) or Cell(None, number, frozenset({number}))


def _merge_return_item(x: Cell | Loop, y: Cell | Loop, tokens: frozenset[int]) -> Cell | Loop:
    if isinstance(x, Loop) and isinstance(y, Loop):
        limit, current = join(x.limit, y.limit, tokens), join(x.current, y.current, tokens)
        return Loop(limit, current, x.by_one and y.by_one)
    if isinstance(x, Cell) and isinstance(y, Cell):
        return join(x, y, tokens)
    return UNKNOWN
