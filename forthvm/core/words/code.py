"""The decoder of compiled code: cells of a definition as instructions.

Owns how many cells an instruction takes and what stands behind its token.  It must not know what
instructions do, nor where the memory that it reads comes from: a VM, or a copy of its image.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from forthvm.core._primitives import PRIMITIVES
from forthvm.core.bindings.layout import CELL, COLON, HEADER
from forthvm.core.errors import AddressError

if TYPE_CHECKING:
    from collections.abc import Iterator

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
"""A zero-terminated text follows, padded to whole cells."""
JUMPS = frozenset({"BRANCH", "0BRANCH", "(LOOP)", "(+LOOP)"})
"""A target address follows."""
ENDS = frozenset({"(;)", "(stop)"})
"""Nothing follows, unless a jump leads past them."""
_MOST_INSTRUCTIONS = 20_000  # of one definition; a longer run of cells is data


class Code(NamedTuple):
    """One instruction.

    Attributes:
        address: Where it begins.
        cfa: The token: which word is called.
        name: The name that tells what the word's code does.
        next: Where the next instruction begins.
        operand: The cell behind the token, of jumps, LIT and COMPILE.
        text: The text behind the token, of words such as `(S")`.
    """

    address: int
    cfa: int
    name: str
    next: int
    operand: int = 0
    text: str = ""


class Memory(Protocol):
    """What the decoder reads."""

    def cell(self, address: int) -> int:
        """A cell; 0 outside memory."""

    def sized_text(self, address: int) -> tuple[str, int]:
        """A zero-terminated text, and its length in bytes."""

    def word(self, cfa: int) -> tuple[str, int] | None:
        """Name and kind of code field of the word with that token, None where no word is."""


def operation(name: str, kind: int) -> str:
    """The name that tells what a word's code does: of a primitive, the kernel's own."""
    return PRIMITIVES[kind][0] if kind < len(PRIMITIVES) else name


def decode(memory: Memory, address: int) -> Code | None:
    """Decode the instruction at an address; None where no word's token lies."""
    cfa = memory.cell(address)
    word = memory.word(cfa)
    if word is None:
        return None
    name, kind = operation(*word), word[1]
    after = address + CELL
    if name == "COMPILE" or (kind < COLON and (name in JUMPS or name == "LIT")):
        return Code(address, cfa, name, after + CELL, memory.cell(after))
    if name in IN_LINE_TEXT:
        text, size = memory.sized_text(after)
        return Code(address, cfa, name, after + (size + 5) // CELL * CELL, text=text)
    return Code(address, cfa, name, after)


def instructions(memory: Memory, start: int, end: int) -> Iterator[Code]:
    """Decode from an address up to the return that no jump passes, or what is no instruction."""
    furthest = 0
    address = start
    for _ in range(_MOST_INSTRUCTIONS):
        code = decode(memory, address) if address < end else None
        if code is None:
            return
        yield code
        if code.name in JUMPS:
            furthest = max(furthest, code.operand)
        elif code.name in ENDS and address >= furthest:
            return
        address = code.next


class LiveMemory:
    """The memory of a VM, read as it is at the moment."""

    def __init__(self, native: NativeVM) -> None:
        self._native = native

    def cell(self, address: int) -> int:
        """A cell; 0 outside memory."""
        try:
            return self._native.read_cell(address)
        except AddressError:
            return 0

    def sized_text(self, address: int) -> tuple[str, int]:
        """A zero-terminated text, and its length in bytes."""
        text = self._native.read_string(address)
        return text, len(self._native.codec.encode(text))

    def word(self, cfa: int) -> tuple[str, int] | None:
        """Name and kind of code field of the word with that token, None where no word is."""
        name = word_name(self._native, cfa)
        return None if name is None else (name, self._native.primitive(cfa))


def word_name(native: NativeVM, cfa: int) -> str | None:
    """Name of the word with that token, None if there is none."""
    nfa = cfa - HEADER
    try:
        if nfa < 0 or native.primitive(cfa) < 0 or native.word_at(cfa) != nfa:
            return None
        return native.name(nfa)
    except AddressError:
        return None
