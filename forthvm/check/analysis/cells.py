"""Abstract cells: the set of values that a stack cell may have, and its origin.

This file owns the abstract values and their join.  It must not know words or memory.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["MOVE_TOKEN", "RETURN_ADDRESS", "UNKNOWN", "Cell", "derived", "join", "known"]

_MAX_VALUES = 160  # per cell; a board has up to 128 directions

MOVE_TOKEN = -2_147_000_001  # represents the token of any generated move
RETURN_ADDRESS = -2_147_000_002  # represents the cell that a call left on the return stack

_NONE: frozenset[int] = frozenset()


class Cell(NamedTuple):
    """An abstract cell: the values it may have, and its origin.

    Attributes:
        known: The possible values, None if unknown.
        param: Number of the argument if the cell is an unchanged argument (0 is the top), else -1.
        deps: Numbers of the arguments from which the cell was computed.
        span: Smallest and largest value if it is the index of a counted loop, else None.
        region: If the cell is an unknown address in the body of a known word, the token of that
            word; else 0.
    """

    known: frozenset[int] | None = None
    param: int = -1
    deps: frozenset[int] = _NONE
    span: tuple[int, int] | None = None
    region: int = 0

    @property
    def value(self) -> int | None:
        """Its value, None if there is not exactly one possible value."""
        if self.known is not None and len(self.known) == 1:
            return next(iter(self.known))
        return None

    @property
    def truth(self) -> bool | None:
        """Whether it is true as a flag, None if unknown."""
        if self.known is None:
            return None
        truths = {value != 0 for value in self.known}
        return truths.pop() if len(truths) == 1 else None


UNKNOWN = Cell()


def known(*values: int) -> Cell:
    """Return a cell with known possible values."""
    return Cell(frozenset(values))


def derived(*sources: Cell) -> Cell:
    """Return a cell of unknown value that was computed from other cells."""
    deps = _NONE
    for source in sources:
        deps |= source.deps
    return Cell(None, -1, deps) if deps else UNKNOWN


def join(a: Cell, b: Cell, tokens: frozenset[int]) -> Cell:
    """Return the join of two cells.

    Different sets of values are united only if all values are in `tokens`, the tokens of all
    words.  Otherwise the value becomes unknown, so that the analysis of counting loops terminates.
    """
    if a == b:
        return a
    values: frozenset[int] | None = None
    if a.known is not None and b.known is not None:
        values = a.known | b.known
        if a.known != b.known and not (values <= tokens and len(values) <= _MAX_VALUES):
            values = None
    return Cell(
        values,
        a.param if a.param == b.param else -1,
        a.deps | b.deps,
        a.span if a.span == b.span else None,
        a.region if a.region == b.region else 0,
    )
