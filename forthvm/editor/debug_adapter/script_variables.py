"""The variables and arrays of the script where it has stopped.

Owns finding them in the dictionary, and reading their values.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import ADDRESS_MASK, CELL, HEADER
from forthvm.core.words.info import describe
from forthvm.debug.session.cell_text import cell_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.core.location import Location
    from forthvm.debug import Session

__all__ = ["ScriptVariable", "ScriptVariables"]

_DEFINERS = {
    "variable": ("", CELL),
    "made by {variable}": ("", CELL),
    "made by {array}": ("0 ", CELL),
    "made by []": ("0 ", CELL),
    "made by {carray}": ("0 ", 1),
}
"""For each kind of word: what its word needs on the stack, and the bytes of an item."""

_MAX_AT_ONCE = 500  # variables whose addresses one evaluation leaves on the stack


@dataclass(frozen=True)
class ScriptVariable:
    """A variable or array.

    Attributes:
        name: The name of its word.
        address: The address of its first item.
        count: The number of items up to the next word or variable.
        size: The bytes of an item.
        indexed: Whether its word takes an index from the stack.
    """

    name: str
    address: int
    count: int
    size: int
    indexed: bool

    def address_text(self, index: int) -> str:
        """Return Forth that leaves the address of an item."""
        if self.indexed:
            return f"{index} {self.name}"
        return f"{self.name} {index * self.size} +" if index else self.name


class ScriptVariables:
    """Finds the variables of the script in a session, whose target is stopped."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._latest = -1  # the newest word when `_words` was made
        self._words: list[tuple[str, str]] = []  # names and kinds, in the order of definition
        self._names: list[int] = []  # the addresses of the names of the script's words

    def all(self) -> list[ScriptVariable]:
        """Return the variables in the order of their definitions.

        Raises:
            ForthVMError: The words of the variables fail.
        """
        self._find_words()
        addresses: list[int] = []
        for at in range(0, len(self._words), _MAX_AT_ONCE):
            words = self._words[at : at + _MAX_AT_ONCE]
            text = " ".join(_DEFINERS[kind][0] + name for name, kind in words)
            addresses += [item & ADDRESS_MASK for item in self._session.evaluate(text)[0]]
        ends = sorted({*addresses, *self._names, *self._ends()})
        found = []
        for (name, kind), address in zip(self._words, addresses, strict=False):
            index, size = _DEFINERS[kind]
            following = bisect_right(ends, address)
            count = (ends[following] - address) // size if following < len(ends) else 1
            found.append(ScriptVariable(name, address, max(count, 1), size, bool(index)))
        return found

    def find(self, name: str) -> ScriptVariable | None:
        """Return the variable with a name; None if there is none."""
        self._find_words()
        if not any(name == word for word, _ in self._words):
            return None
        return next(variable for variable in self.all() if variable.name == name)

    def values(self, variable: ScriptVariable, start: int, count: int) -> list[int]:
        """Return some items of a variable.

        Raises:
            AddressError: They are not in memory, such as those in a board that is not made yet.
        """
        size = variable.size
        data = self._session.memory(variable.address + start * size, count * size)
        return [
            int.from_bytes(data[at : at + size], "little", signed=True)
            for at in range(0, len(data), size)
        ]

    def texts(self, variable: ScriptVariable, values: Sequence[int]) -> list[str]:
        """Return items of a variable as texts; the token of a word has the word's name."""
        if variable.size < CELL:
            return [str(value) for value in values]
        vm = self._session.target.vm
        return self._session.call(lambda: [cell_text(vm, value) for value in values])

    def _find_words(self) -> None:
        self._session.call(self._read_words)

    def _read_words(self) -> None:
        """Find the words of the script that are variables, unless no word is new."""
        vm, code = self._session.target.vm, self._session.code
        native = vm.native
        if native.latest() == self._latest:
            return
        self._latest = nfa = native.latest()
        kinds: dict[str, str] = {}
        ends = []
        while nfa and native.source_at(nfa + HEADER) >= code.script_start:
            name = native.name(nfa)
            ends.append(native.read_cell(nfa))  # the name of the word, before its header
            if name not in kinds and not code.is_generated(native.source_at(nfa + HEADER)):
                is_list = _is_move_list(vm.location_of(nfa + HEADER))
                kinds[name] = "move list" if is_list else describe(vm, name, nfa + HEADER).kind
            nfa = native.previous(nfa)
        words = [(name, kind) for name, kind in kinds.items() if kind in _DEFINERS]
        self._words, self._names = words[::-1], ends

    def _ends(self) -> Sequence[int]:
        """Return the ends of the dictionary and of the board."""
        vm = self._session.target.vm

        def read() -> list[int]:
            native = vm.native
            ends = [native.here()]
            board, size = native.variable("$board"), native.variable("$boardSize")
            if board is not None and size is not None:
                ends += [board, board + size]
            return ends

        return self._session.call(read)


def _is_move_list(location: Location | None) -> bool:
    """Whether the word that is defined at a place is a list of moves."""
    return location is not None and location.text[: location.column - 1].split()[-1:] == ["{moves"]
