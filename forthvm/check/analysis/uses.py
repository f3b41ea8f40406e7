"""What a definition does with cells: whether it needs or drops them, and uses as positions.

This file owns the records of uses in the summary.  instructions.py has the stack effects of
instructions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .cells import MOVE_XT, UNKNOWN
from .paths import Paths
from .primitives import COMPARISONS, FETCHES, GAME_EFFECTS, STORES, kernel_effect, possible_values
from .summary import Problem, Use

if TYPE_CHECKING:
    from collections.abc import Iterable

    from forthvm.core.words.dictionary import Word

    from .cells import Cell
    from .state import State
    from .summary import Outcome, Summary

__all__ = ["UsedCells"]

#: Words of the library that return the current position, and the position of the moving piece.
_POSITION_WORDS = frozenset({"here", "from"})
_MOVE_BYTES = 1000  # the distance of addresses in the code of a move from its xt
_EDITS = frozenset(name for name, effects in GAME_EFFECTS.items() if "edit" in effects)


class UsedCells(Paths):
    """Paths through a definition, with records of what happens to cells of known origin."""

    def _with_origin(self, result: Cell, word: Word) -> Cell:
        """Return a result of a word, with its origin if the word belongs to the game."""
        if word.name in _POSITION_WORDS and self._analyser.is_library(word):
            return result._replace(made_by=(word.name, 0))
        if self._analyser.is_on_board(word):
            return result._replace(made_by=("board", word.cfa))
        return result

    def _note_dropped(self, cells: Iterable[Cell]) -> None:
        self._dropped |= {cell.origin for cell in cells if cell.origin is not None}

    def _note_arguments(self, word: Word, arguments: list[Cell]) -> None:
        """Record which arguments a primitive drops, compares or needs."""
        effect = kernel_effect(word.op)
        if word.op in COMPARISONS:
            for cell in arguments:
                self._note_compared(cell)
        only_moves = set(effect.leaves) <= set(effect.takes) and not GAME_EFFECTS.get(word.op)
        if not only_moves or (not effect.leaves and not word.op.endswith("DROP")):
            self._note_needed(arguments)
            return
        pairs = zip(effect.takes, arguments, strict=True)
        self._note_dropped(cell for name, cell in pairs if name not in effect.leaves)

    def _note_compared(self, cell: Cell) -> None:
        self._compared_loops |= cell.loops
        if cell.origin is not None:
            self._compared.add(cell.origin)

    def _note_use(self, state: State, word: Word, address: int) -> None:
        """Record a use of positions, or of the address of a variable."""
        positions = self._analyser.position_arguments(word)
        is_access = word.name in STORES or word.name in FETCHES
        if not positions and not is_access:
            return
        count = max((0, *positions)) + 1
        cells = self._make_explicit(state, count).cells[-count:]
        for number in positions:
            self._check_position(cells[-1 - number], word, address)
        if is_access and word.primitive:
            self._check_address(cells[-1], word, address)
        self._add_use(Use(word.name, tuple([cell.origin for cell in cells]), address))

    def _check_address(self, cell: Cell, word: Word, address: int) -> None:
        """Record a problem if a cell is a position, or a number that is no address."""
        name, value = word.name, cell.value
        if cell.made_by is not None and cell.made_by[0] in ("here", "from", "step"):
            self._problems.add(Problem("square-as-address", address, name=name))
        elif value is not None and not cell.source_arguments and not self._is_address(value):
            self._problems.add(Problem("address", address, value, name=name))

    def _is_address(self, value: int) -> bool:
        if abs(value - MOVE_XT) < _MOVE_BYTES:
            return True  # the code of a move
        return self._image.words[0].nfa <= value < self._image.memory_size

    def _note_uses_of_call(self, state: State, word: Word, summary: Summary, address: int) -> None:
        """Record what a called definition does with its arguments."""
        cells = state.cells[::-1]
        for number, cell in enumerate(cells[: summary.required_cells]):
            if number in summary.ignored_arguments:
                self._note_dropped([cell])
            elif not any(_returns(outcome, number) for outcome in summary.outcomes):
                self._note_needed([cell])
            if number in summary.compared_arguments:
                self._note_compared(cell)
        for use in () if self._analyser.is_library(word) else summary.uses:
            self._add_use(self._with_cells(use, cells, summary.compared_arguments, address))

    def _with_cells(
        self, use: Use, cells: tuple[Cell, ...], compared: frozenset[int], address: int
    ) -> Use:
        """Return a use in a called definition with the cells of the caller as operands.

        Args:
            use: The use.
            cells: The arguments of the definition, the top of the stack first.
            compared: The numbers of the arguments that the definition compares.
            address: The address of the call.
        """
        operands = list(use.operands)
        called = self._image.find(use.word)
        positions = self._analyser.position_arguments(called) if called else ()
        for at, operand in enumerate(operands):
            if operand is not None and operand[0] == "argument":
                number = operand[1]
                cell = cells[number] if number < len(cells) else UNKNOWN
                operands[at] = cell.origin
                if called and len(operands) - 1 - at in positions and number not in compared:
                    self._check_position(cell, called, address)
        return replace(use, operands=tuple(operands))

    def _add_use(self, use: Use) -> None:
        """Record a use if it may matter to rules or callers."""
        kinds = {operand[0] for operand in use.operands if operand is not None}
        if use.word in _EDITS or kinds & {"argument", "board"}:
            self._uses.add(use)

    def _check_position(self, cell: Cell, word: Word, address: int) -> None:
        """Record a problem if an argument of a word is a number that is no position."""
        values = possible_values(cell)
        variable = self._image.find("$positions")
        if values is None or variable is None:
            return
        self._loaded_addresses.add(variable.body)
        count = self._image.cell(variable.body)
        low, high = values
        if count and (low < 0 or high >= count):
            index = low if low < 0 else high
            problem = Problem("position", address, index, count, name=word.name)
            self._index_problems.add((problem, cell.loops))


def _returns(outcome: Outcome, number: int) -> bool:
    """Whether a word returns a copy of an argument, or leaves the argument on the stack."""
    return number >= outcome.taken or any(cell.argument_number == number for cell in outcome.cells)
