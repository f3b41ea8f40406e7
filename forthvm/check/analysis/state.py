"""The abstract state of both stacks at an instruction, relative to the start of the definition.

This file owns the push and join of states.  It must not know words.
"""

from __future__ import annotations

from typing import NamedTuple

from .cells import UNKNOWN, Cell, join

__all__ = ["Loop", "State", "merge"]


class Loop(NamedTuple):
    """The three cells of a counted loop on the return stack."""

    limit: Cell
    at: Cell
    counts: bool  # the loop ends in LOOP, so the index increases by 1 up to the limit


class State(NamedTuple):
    """The parameter stack relative to the start, and the definition's part of the return stack.

    Attributes:
        taken: Number of the caller's cells that were popped or became explicit in `cells`.
        cells: The explicit cells, on top of the caller's remaining cells; the top last.
        returns: The cells that the definition put on the return stack.
        popped: The return address was popped.
        marks: The height at the last entry of each open loop, by the address of the loop's head.
    """

    taken: int = 0
    cells: tuple[Cell, ...] = ()
    returns: tuple[Cell | Loop, ...] = ()
    popped: bool = False
    marks: tuple[tuple[int, int], ...] = ()

    @property
    def height(self) -> int:
        """The depth of the stack, relative to the start."""
        return len(self.cells) - self.taken

    @property
    def key(self) -> tuple[object, ...]:
        """States with equal keys are joined."""
        shape = tuple(isinstance(item, Loop) for item in self.returns)
        return (self.height, shape, self.popped, self.marks)

    def push(self, *cells: Cell) -> State:
        """Return the state with cells pushed on the parameter stack."""
        return self._replace(cells=self.cells + cells)

    def flat_returns(self) -> list[Cell]:
        """Return the cells of the return stack, the top first."""
        flat: list[Cell] = []
        for item in reversed(self.returns):
            flat += [item.at, item.limit, UNKNOWN] if isinstance(item, Loop) else [item]
        return flat


def merge(a: State, b: State, tokens: frozenset[int], arguments: dict[int, Cell]) -> State:
    """Return the join of two states with the same key."""
    deep = max(a.taken, b.taken)
    pairs = zip(_from(a, deep, arguments), _from(b, deep, arguments), strict=True)
    returns = tuple(_merge_return(x, y, tokens) for x, y in zip(a.returns, b.returns, strict=True))
    cells = tuple(join(x, y, tokens) for x, y in pairs)
    return State(deep, cells, returns, a.popped, a.marks)


def _from(state: State, deep: int, arguments: dict[int, Cell]) -> tuple[Cell, ...]:
    below = [argument(n, arguments) for n in range(deep - 1, state.taken - 1, -1)]
    return (*below, *state.cells)


def argument(number: int, arguments: dict[int, Cell]) -> Cell:
    """Return the cell for the caller's stack item at a depth, 0 for the top."""
    return arguments.get(number) or Cell(None, number, frozenset({number}))


def _merge_return(x: Cell | Loop, y: Cell | Loop, tokens: frozenset[int]) -> Cell | Loop:
    if isinstance(x, Loop) and isinstance(y, Loop):
        return Loop(join(x.limit, y.limit, tokens), join(x.at, y.at, tokens), x.counts and y.counts)
    if isinstance(x, Cell) and isinstance(y, Cell):
        return join(x, y, tokens)
    return UNKNOWN
