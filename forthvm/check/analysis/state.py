"""Both stacks at one place of a definition, relative to its start.

This file owns pushing, popping and joining; it must not know words.
"""

from __future__ import annotations

from typing import NamedTuple

from .cells import UNKNOWN, Cell, join

__all__ = ["Loop", "State", "merge"]


class Loop(NamedTuple):
    """The three cells of a counted loop on the return stack."""

    limit: Cell
    at: Cell
    counts: bool  # ends in LOOP, so the index runs from start to below the limit


class State(NamedTuple):
    """The parameter stack above what lay there, and the own part of the return stack.

    Attributes:
        taken: So many of the cells that lay there are gone, or have moved into `cells`.
        cells: What lies above them, the top last.
        returns: The own part of the return stack.
        popped: The return address has been taken.
        marks: Depth at which each open loop was entered last, by the address of its head.
    """

    taken: int = 0
    cells: tuple[Cell, ...] = ()
    returns: tuple[Cell | Loop, ...] = ()
    popped: bool = False
    marks: tuple[tuple[int, int], ...] = ()

    @property
    def height(self) -> int:
        """Cells more than at the start."""
        return len(self.cells) - self.taken

    @property
    def key(self) -> tuple[object, ...]:
        """What must be equal for two states to be joined."""
        shape = tuple(isinstance(item, Loop) for item in self.returns)
        return (self.height, shape, self.popped, self.marks)

    def push(self, *cells: Cell) -> State:
        """Put cells on the parameter stack."""
        return self._replace(cells=self.cells + cells)

    def flat_returns(self) -> list[Cell]:
        """The cells of the return stack, the top first."""
        flat: list[Cell] = []
        for item in reversed(self.returns):
            flat += [item.at, item.limit, UNKNOWN] if isinstance(item, Loop) else [item]
        return flat


def merge(a: State, b: State, tokens: frozenset[int], arguments: dict[int, Cell]) -> State:
    """Join two states of the same key."""
    deep = max(a.taken, b.taken)
    pairs = zip(_from(a, deep, arguments), _from(b, deep, arguments), strict=True)
    returns = tuple(_merge_return(x, y, tokens) for x, y in zip(a.returns, b.returns, strict=True))
    cells = tuple(join(x, y, tokens) for x, y in pairs)
    return State(deep, cells, returns, a.popped, a.marks)


def _from(state: State, deep: int, arguments: dict[int, Cell]) -> tuple[Cell, ...]:
    below = [argument(n, arguments) for n in range(deep - 1, state.taken - 1, -1)]
    return (*below, *state.cells)


def argument(number: int, arguments: dict[int, Cell]) -> Cell:
    """The cell that a definition finds at that depth."""
    return arguments.get(number) or Cell(None, number, frozenset({number}))


def _merge_return(x: Cell | Loop, y: Cell | Loop, tokens: frozenset[int]) -> Cell | Loop:
    if isinstance(x, Loop) and isinstance(y, Loop):
        return Loop(join(x.limit, y.limit, tokens), join(x.at, y.at, tokens), x.counts and y.counts)
    if isinstance(x, Cell) and isinstance(y, Cell):
        return join(x, y, tokens)
    return UNKNOWN
