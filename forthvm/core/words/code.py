"""The decoder of compiled code: cells of a definition as instructions.

Owns the length of an instruction in cells, and the operands that follow its token.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from forthvm.core._primitives import PRIMITIVES
from forthvm.core.bindings.layout import CELL, COLON, HEADER
from forthvm.core.errors import AddressError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from forthvm.core.bindings import NativeVM

__all__ = [
    "ENDS",
    "IN_LINE_TEXT",
    "JUMPS",
    "Code",
    "LiveMemory",
    "Memory",
    "decode",
    "instructions",
    "operation",
    "word_name",
]

IN_LINE_TEXT = frozenset({'(S")', '(.")', '(ABORT")', '(^")'})
"""Words followed by a zero-terminated text, padded to whole cells."""
JUMPS = frozenset({"BRANCH", "0BRANCH", "(LOOP)", "(+LOOP)"})
"""Words followed by a target address."""
ENDS = frozenset({"(;)", "(stop)"})
"""Words that end a definition, unless an earlier jump leads beyond them."""
_WITH_OPERAND = frozenset(name for name, _, flags, *_ in PRIMITIVES if "inline" in flags.split())
_MAX_INSTRUCTIONS = 20_000  # of one definition; a longer sequence of cells is data


@dataclass(frozen=True, slots=True)
class Code:
    """One instruction.

    Attributes:
        address: Address of the instruction's first cell.
        cfa: The token: the code field of the word that it calls.
        name: The primitive's name in the primitives table, or the name of any other word.
        next: Address of the next instruction.
        operand: The cell after the token, of jumps, LIT and COMPILE.
        text: The text after the token, of words such as `(S")`.
    """

    address: int
    cfa: int
    name: str
    next: int
    operand: int = 0
    text: str = ""


class Memory(Protocol):
    """The memory that the decoder reads."""

    def cell(self, address: int) -> int:
        """Return a cell; 0 outside memory."""

    def sized_text(self, address: int) -> tuple[str, int]:
        """Return a zero-terminated text, and its length in bytes."""

    def word(self, cfa: int) -> tuple[str, int] | None:
        """Return name and kind of code field of the word with that token, None if unknown."""


def operation(name: str, kind: int) -> str:
    """Return a primitive's name in the primitives table, or the name of any other word.

    The name of a primitive in the dictionary may differ from its name in the table.

    Args:
        name: The word's name in the dictionary.
        kind: The opcode in its code field.
    """
    return PRIMITIVES[kind][0] if kind < len(PRIMITIVES) else name


def decode(memory: Memory, address: int) -> Code | None:
    """Decode the instruction at an address; None if the cell is not the token of a word."""
    cfa = memory.cell(address)
    word = memory.word(cfa)
    if word is None:
        return None
    name, kind = operation(*word), word[1]
    after = address + CELL
    if name == "COMPILE" or (kind < COLON and name in _WITH_OPERAND):
        return Code(address, cfa, name, after + CELL, memory.cell(after))
    if name in IN_LINE_TEXT:
        text, size = memory.sized_text(after)
        return Code(address, cfa, name, after + (size + 5) // CELL * CELL, text=text)
    return Code(address, cfa, name, after)


def instructions(read: Callable[[int], Code | None], start: int, end: int) -> Iterator[Code]:
    """Decode from an address to the last return, or to a cell that is not an instruction.

    The last return is the first return beyond which no earlier jump leads.

    Args:
        read: Decodes the instruction at an address.
        start: Address of the first instruction.
        end: Address after the last instruction.
    """
    furthest = 0
    address = start
    for _ in range(_MAX_INSTRUCTIONS):
        code = read(address) if address < end else None
        if code is None:
            return
        yield code
        if code.name in JUMPS:
            furthest = max(furthest, code.operand)
        elif code.name in ENDS and address >= furthest:
            return
        address = code.next


class LiveMemory:
    """The current memory of a VM."""

    def __init__(self, native: NativeVM) -> None:
        self._native = native

    def cell(self, address: int) -> int:
        """Return a cell; 0 outside memory."""
        try:
            return self._native.read_cell(address)
        except AddressError:
            return 0

    def sized_text(self, address: int) -> tuple[str, int]:
        """Return a zero-terminated text, and its length in bytes."""
        text = self._native.read_string(address)
        return text, len(self._native.codec.encode(text))

    def word(self, cfa: int) -> tuple[str, int] | None:
        """Return name and kind of code field of the word with that token, None if unknown."""
        name = word_name(self._native, cfa)
        return None if name is None else (name, self._native.primitive(cfa))


def word_name(native: NativeVM, cfa: int) -> str | None:
    """Return the name of the word with that token, None if there is no such word."""
    nfa = cfa - HEADER
    try:
        if nfa < 0 or native.primitive(cfa) < 0 or native.word_at(cfa) != nfa:
            return None
        return native.name(nfa)
    except AddressError:
        return None
