"""Summaries of the behaviour of words, as far as static analysis can determine it.

This file owns the types.  It must not know how summaries are computed.
"""

from __future__ import annotations

from typing import NamedTuple

from .cells import Cell

__all__ = ["Context", "Exit", "Key", "Problem", "Store", "Summary"]

#: The known arguments: (number from the top, possible values).
Context = tuple[tuple[int, frozenset[int]], ...]
#: A kind of call of a word: its token, and the known and relevant arguments.
Key = tuple[int, Context]
#: An address and the values stored there; None: any value.
Store = tuple[int, frozenset[int] | None]

_NOTHING: frozenset[str] = frozenset()


class Exit(NamedTuple):
    """One outcome of a word that returns: the number of arguments, and the results."""

    taken: int
    cells: tuple[Cell, ...]
    ends_caller: bool = False  # the calling definition returns, too, as by EXIT

    @property
    def net(self) -> int:
        """The change of the depth of the stack."""
        return len(self.cells) - self.taken


class Problem(NamedTuple):
    """A problem at a compiled cell; the meaning of the numbers depends on the kind."""

    kind: str
    address: int
    one: int = 0
    two: int = 0
    name: str = ""


class Summary(NamedTuple):
    """What a word does.

    Attributes:
        need: Cells that must be on the stack.
        exits: One for each net effect; empty if it never returns.
        game_effects: What it does to or reads from the game, named as in `primitives.GAME_EFFECTS`.
        relevant: Arguments whose values influence the result.
        unknown: Why the effect is unknown, "" if it is known.
        where: The cell that is the reason.
        assumed: The result relies on the stack comments of some words.
        deep: It may access cells deeper than `need`.
        problems: Problems on its paths.
        stores: Its stores of known values or to known addresses.
        calls: Its calls.
        compiled: Tokens that it compiles with COMPILE.
        loads: Addresses on which the result depends; -token: all data of that word.
    """

    need: int = 0
    exits: tuple[Exit, ...] = ()
    game_effects: frozenset[str] = _NOTHING
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
    def net_effects(self) -> tuple[int, ...]:
        """The net effects, in ascending order."""
        return tuple(sorted({each.net for each in self.exits}))
