"""Abstract cells: the set of values that a stack cell may have, and its origin.

This file owns abstract cells and their join: the cell that covers two paths.  Arguments of a
definition are numbered from the top of the stack, which is 0.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "MAX_NAME",
    "MOVE_XT",
    "RETURN_ADDRESS",
    "UNKNOWN",
    "Cell",
    "IndexRange",
    "Origin",
    "derived",
    "join",
    "known_cell",
]

MAX_NAME = 24  # characters of the name of a cell
_MAX_VALUES = 160  # values of a cell; a cell may have the xts of all 128 directions of a board

MOVE_XT = -2_147_000_001  # represents the xt of any generated move
RETURN_ADDRESS = -2_147_000_002  # represents the cell that a call left on the return stack

_NONE: frozenset[int] = frozenset()

Origin = tuple[str, int]
"""What a cell is a copy of, with a number.

- `here`, `from`: the position that this word returned; 0.
- `step`: the flag of a step; the address of the instruction that made the step.
- `board`: the address of a variable or array of the board; the xt of its word.
- `argument`: an argument of the definition; its number.
"""


class IndexRange(NamedTuple):
    """The smallest and the largest value of a number computed from the indices of counted loops."""

    low: int
    high: int


class Cell(NamedTuple):
    """An abstract cell: the values it may have, and its origin.

    Attributes:
        values: The possible values; None if unknown.
        argument_number: The number of the argument that the cell is a copy of; -1 if it is none.
        source_arguments: The numbers of the arguments from which the cell was computed.
        index_range: The values, if they follow from the indices of `loops`; else None.
        loops: The addresses of the counted loops from whose indices the cell was computed, except
            by reading memory.
        region_xt: The xt of the word whose body contains this unknown address; else 0.
        is_true: Whether the cell is not 0, although its values are unknown.
        made_by: What the cell is a copy of, except arguments; else None.
        name: A name to show; "" in summaries, which do not depend on names.
    """

    values: frozenset[int] | None = None
    argument_number: int = -1
    source_arguments: frozenset[int] = _NONE
    index_range: IndexRange | None = None
    loops: frozenset[int] = _NONE
    region_xt: int = 0
    is_true: bool = False
    made_by: Origin | None = None
    name: str = ""

    @property
    def value(self) -> int | None:
        """The only possible value; None if there are several or the values are unknown."""
        if self.values is not None and len(self.values) == 1:
            return next(iter(self.values))
        return None

    @property
    def origin(self) -> Origin | None:
        """What the cell is a copy of; None if unknown."""
        if self.made_by is None and self.argument_number >= 0:
            return ("argument", self.argument_number)
        return self.made_by

    @property
    def truth(self) -> bool | None:
        """Whether all possible values are true (not 0); None if they differ or are unknown."""
        if self.values is None:
            return True if self.is_true else None
        truths = {value != 0 for value in self.values}
        return truths.pop() if len(truths) == 1 else None


UNKNOWN = Cell()


def known_cell(*values: int) -> Cell:
    """Return a cell with these possible values."""
    return Cell(frozenset(values))


def derived(*sources: Cell) -> Cell:
    """Return a cell of unknown value that was computed from other cells."""
    source_arguments = loops = _NONE
    for source in sources:
        source_arguments |= source.source_arguments
        loops |= source.loops
    known = source_arguments or loops
    return Cell(source_arguments=source_arguments, loops=loops) if known else UNKNOWN


def join(a: Cell, b: Cell, xts: frozenset[int]) -> Cell:
    """Return the cell that covers two cells.

    Different sets of values are united only if all values are in `xts`, the xts of all words.  Sets
    of other values become unknown, because the set of a loop's counter would grow without end.
    """
    if a == b:
        return a
    values: frozenset[int] | None = None
    if a.values is not None and b.values is not None:
        values = a.values | b.values
        if a.values != b.values and not (values <= xts and len(values) <= _MAX_VALUES):
            values = None
    return Cell(
        values,
        a.argument_number if a.argument_number == b.argument_number else -1,
        a.source_arguments | b.source_arguments,
        a.index_range if a.index_range == b.index_range else None,
        a.loops | b.loops,
        a.region_xt if a.region_xt == b.region_xt else 0,
        values is None and a.truth is True and b.truth is True,
        a.made_by if a.made_by == b.made_by else None,
        a.name if a.name == b.name else _alternatives(a.name, b.name),
    )


def _alternatives(a: str, b: str) -> str:
    """Return the name of a cell that has different names on two paths, such as `1|2`."""
    return "|".join(dict.fromkeys([*a.split("|"), *b.split("|")]))[:MAX_NAME]
