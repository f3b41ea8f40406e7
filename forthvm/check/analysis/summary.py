"""What running a word does, as far as that can be told without running it.

This file owns the records only; it must not know how they are found.
"""

from __future__ import annotations

from typing import NamedTuple

from .cells import Cell

__all__ = ["Context", "Exit", "Key", "Problem", "Store", "Summary"]

#: Which arguments are known, and what they may be: (number from the top, values).
Context = tuple[tuple[int, frozenset[int]], ...]
#: A word as called: its token, and the arguments that matter.
Key = tuple[int, Context]
#: An address and what is stored there; None: anything.
Store = tuple[int, frozenset[int] | None]

_NOTHING: frozenset[str] = frozenset()


class Exit(NamedTuple):
    """A way out: so many cells are taken, and these are left in their place."""

    taken: int
    cells: tuple[Cell, ...]
    ends_caller: bool = False  # EXIT: the definition that called ends, too

    @property
    def net(self) -> int:
        """Cells more than before."""
        return len(self.cells) - self.taken


class Problem(NamedTuple):
    """Something wrong at a compiled cell; the numbers depend on the kind."""

    kind: str
    address: int
    one: int = 0
    two: int = 0
    name: str = ""


class Summary(NamedTuple):
    """What a word does.

    Attributes:
        need: Cells that must lie on the stack.
        exits: One per net effect; none if it never returns.
        acts: What it may do besides, in words of the analysis.
        relevant: Arguments whose values decide what it does.
        unknown: Why the effect cannot be told, "" if it can.
        where: The cell that is the reason.
        assumed: It holds if the stack comments of some words are true.
        deep: It may reach deeper than `need`.
        loads: Addresses that the answer depends on; -token: all of that word's data.
    """

    need: int = 0
    exits: tuple[Exit, ...] = ()
    acts: frozenset[str] = _NOTHING
    relevant: frozenset[int] = frozenset()
    unknown: str = ""
    where: int = 0
    assumed: bool = False
    deep: bool = False
    problems: frozenset[Problem] = frozenset()
    stores: frozenset[Store] = frozenset()
    calls: frozenset[Key] = frozenset()
    compiled: frozenset[int] = frozenset()
    loads: frozenset[int] = frozenset()

    @property
    def nets(self) -> tuple[int, ...]:
        """The net effects, the least first."""
        return tuple(sorted({way.net for way in self.exits}))
