"""Summaries of the behaviour of words, as far as static analysis can determine it.

This file owns the types.  It must not know how summaries are computed.
"""

from __future__ import annotations

from typing import NamedTuple

from .cells import Cell

__all__ = ["Context", "Exit", "Key", "Problem", "Store", "Summary"]

#: Known arguments of a call: their numbers (0 for the top of the stack) and possible values.
Context = tuple[tuple[int, frozenset[int]], ...]
#: A kind of call: the token of the word, and those arguments that are known and relevant.
Key = tuple[int, Context]
#: An address and the values stored there.  A negated token as the address means all data of that
#: word; None as the values means any value.
Store = tuple[int, frozenset[int] | None]

_NOTHING: frozenset[str] = frozenset()


class Exit(NamedTuple):
    """One outcome of a word that returns.

    Attributes:
        taken: Number of cells popped.
        cells: The cells pushed, the top last.
        ends_caller: The calling definition returns too, because the word popped its own return
            address.
    """

    taken: int
    cells: tuple[Cell, ...]
    ends_caller: bool = False

    @property
    def net(self) -> int:
        """The change of the depth of the stack."""
        return len(self.cells) - self.taken


class Problem(NamedTuple):
    """A problem at a compiled cell.

    Attributes:
        kind: The kind; rules/stack.py has the message of each kind.
        address: Address of the cell.
        number: For `leak` and `eat`, the net effect of one iteration on the depth of the stack; for
            `left-on-return`, the number of cells; for `index` and `index-span`, the index; else 0.
        items: For `index` and `index-span`, the number of items of the array; else 0.
        loop_open: For `left-on-return`, whether the cells include those of an open loop.
        name: The word called at the cell, or the array; "" if the message does not need it.
    """

    kind: str
    address: int
    number: int = 0
    items: int = 0
    loop_open: bool = False
    name: str = ""


class Summary(NamedTuple):
    """The behaviour of a word.

    Attributes:
        need: Number of cells that must be on the stack.
        exits: One outcome for each net effect; empty if the word never returns.
        game_effects: Its effects on the game; `primitives.GAME_EFFECTS` has their names.
        relevant: Numbers of the arguments whose values influence the result.
        unknown: Why the effect is unknown, "" if it is known.
        where: Address of the cell at which the effect becomes unknown.
        assumed: The result relies on the stack comments of some words.
        deep: It may access cells deeper than `need`.
        problems: Problems on its paths.
        stores: Its stores of known values or to known addresses.
        calls: The calls of other words.
        compiled: Tokens that it compiles with COMPILE.
        loads: Addresses on which the result depends; a negated token means all data of that word.
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
