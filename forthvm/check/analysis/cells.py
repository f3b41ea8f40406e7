"""What static analysis knows of a cell on a stack.

This file owns the domain and its joins; it must not know words or memory.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["MOVE_TOKEN", "RETURN_ADDRESS", "UNKNOWN", "Cell", "derived", "join", "known"]

_MOST_VALUES = 160  # of one cell; a board has up to 128 directions

MOVE_TOKEN = -2_147_000_001  # stands for the token of any generated move
RETURN_ADDRESS = -2_147_000_002  # stands for what a call left on the return stack

_NONE: frozenset[int] = frozenset()


class Cell(NamedTuple):
    """A cell: the values it may have, and where it comes from.

    `known` is None when nothing is known.  `param` is the number of the argument that it is
    (0 the top on entry), -1 if it is none; `deps` are the arguments that it was computed from.
    `span` bounds the index of a counted loop.  `region` is the token of the word in whose body
    the address lies, where only that is known; else 0.
    """

    known: frozenset[int] | None = None
    param: int = -1
    deps: frozenset[int] = _NONE
    span: tuple[int, int] | None = None
    region: int = 0

    @property
    def value(self) -> int | None:
        """The one value it has, None if it is not known."""
        if self.known is not None and len(self.known) == 1:
            return next(iter(self.known))
        return None

    @property
    def truth(self) -> bool | None:
        """Whether it counts as true, None if that may be either."""
        if self.known is None:
            return None
        truths = {value != 0 for value in self.known}
        return truths.pop() if len(truths) == 1 else None


UNKNOWN = Cell()


def known(*values: int) -> Cell:
    """Make a cell of known value."""
    return Cell(frozenset(values))


def derived(*sources: Cell) -> Cell:
    """Make a cell computed from others, its value unknown."""
    deps = _NONE
    for source in sources:
        deps |= source.deps
    return Cell(None, -1, deps) if deps else UNKNOWN


def join(a: Cell, b: Cell, tokens: frozenset[int]) -> Cell:
    """Make the cell that may be either.

    Sets are kept of tokens only (`tokens` are those of all words), so that counting loops
    come to an end.
    """
    if a == b:
        return a
    values: frozenset[int] | None = None
    if a.known is not None and b.known is not None:
        values = a.known | b.known
        if a.known != b.known and not (values <= tokens and len(values) <= _MOST_VALUES):
            values = None
    return Cell(
        values,
        a.param if a.param == b.param else -1,
        a.deps | b.deps,
        a.span if a.span == b.span else None,
        a.region if a.region == b.region else 0,
    )
