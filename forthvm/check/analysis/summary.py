"""The type of a summary: the behaviour of a word, as far as static analysis can determine it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .cells import Cell, Origin

__all__ = ["Call", "KnownArguments", "Outcome", "Problem", "Store", "Summary", "Use"]

#: The number (0 for the top of the stack) and the possible values of each known argument.
KnownArguments = tuple[tuple[int, frozenset[int]], ...]
#: An address and the values that are stored there; None for any value.  A negated xt instead of the
#: address means an unknown address in the data of that word.
Store = tuple[int, frozenset[int] | None]

_NOTHING: frozenset[str] = frozenset()


class Call(NamedTuple):
    """A kind of call: the xt of the called word, and its known relevant arguments.

    An argument is relevant if its value influences the summary of the word.
    """

    xt: int
    known_arguments: KnownArguments = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The state of the parameter stack when a word returns.

    Attributes:
        taken: Number of cells popped.
        cells: The cells pushed, the top last.
        ends_caller: Whether the caller returns too, because the word popped its return address.
    """

    taken: int
    cells: tuple[Cell, ...]
    ends_caller: bool = False

    @property
    def net(self) -> int:
        """The change of the depth of the stack."""
        return len(self.cells) - self.taken


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A problem at a compiled cell.

    Attributes:
        kind: The kind; rules/stack.py has the message of each kind.
        address: Address of the cell.
        number: For `leak` and `eat`, the net effect of one iteration on the depth of the stack; for
            `left-on-return`, the number of cells; for `index`, `index-span` and `position`, the
            index; else 0.
        items: For `index` and `index-span`, the number of items of the array; for `position`, the
            number of positions; else 0.
        loop_open: For `left-on-return`, whether the cells include those of an open loop.
        name: The word called at the cell, or the array; "" if the message does not need it.
    """

    kind: str
    address: int
    number: int = 0
    items: int = 0
    loop_open: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class Use:
    """The use of positions, or of the address of a variable, by a word of the library.

    Attributes:
        word: The name of the word.
        operands: The origins of its arguments, the top of the stack last.
        address: Address of the cell that calls it.
    """

    word: str
    operands: tuple[Origin | None, ...]
    address: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The behaviour of a word.

    Attributes:
        required_cells: Number of cells that must be on the stack.
        outcomes: One outcome for each net effect; empty if the word never returns.
        game_effects: Names of effects on the game (`primitives.GAME_EFFECTS`).
        relevant_arguments: Numbers of the arguments whose values influence the summary.
        unknown: The reason why the effect is unknown; "" if it is known.
        unknown_at: Address of the cell at which the effect becomes unknown.
        assumed: Whether the summary relies on stack comments.
        reads_unknown_depth: Whether the word may access cells deeper than `required_cells`.
        problems: Problems on the paths of the word.
        stores: Stores of known values or to known addresses.
        calls: The calls of other words.
        compiled_xts: The xts that the word compiles into a move with COMPILE.
        uses: The edits, the uses of variables of the board, and the uses of arguments as positions
            or addresses.
        ignored_arguments: Numbers of the arguments that the word drops on every path.
        compared_arguments: Numbers of the arguments that the word compares.
        loaded_addresses: Addresses whose contents influence the summary; a negated xt means all
            data of that word.
    """

    required_cells: int = 0
    outcomes: tuple[Outcome, ...] = ()
    game_effects: frozenset[str] = _NOTHING
    relevant_arguments: frozenset[int] = frozenset()
    unknown: str = ""
    unknown_at: int = 0
    assumed: bool = False
    reads_unknown_depth: bool = False
    problems: frozenset[Problem] = frozenset()
    stores: frozenset[Store] = frozenset()
    calls: frozenset[Call] = frozenset()
    compiled_xts: frozenset[int] = frozenset()
    uses: frozenset[Use] = frozenset()
    ignored_arguments: frozenset[int] = frozenset()
    compared_arguments: frozenset[int] = frozenset()
    loaded_addresses: frozenset[int] = frozenset()

    @property
    def net_effects(self) -> tuple[int, ...]:
        """The net effects, in ascending order."""
        return tuple(sorted({outcome.net for outcome in self.outcomes}))
