"""The dictionary of a VM as plain records: words, and the instructions of definitions.

This file owns reading memory into them, in one copy; it must not know what any word means
beyond how its code is laid out.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from forthvm.core._primitives import PRIMITIVES
from forthvm.core.bindings.layout import CELL, COLON, DOES, FLAGS, HEADER, IMMEDIATE, LOWEST
from forthvm.core.value import Value

if TYPE_CHECKING:
    from forthvm.core.vm import VM

__all__ = ["Code", "Image", "Word"]

_MOST_CELLS = 20_000  # of one definition; a longer run of cells is data

IN_LINE_TEXT = frozenset({'(S")', '(.")', '(ABORT")', '(^")'})
JUMPS = frozenset({"BRANCH", "0BRANCH", "(LOOP)", "(+LOOP)"})
ENDS = frozenset({"(;)", "(stop)"})


class Word(Value):
    """A header.

    Attributes:
        kind: Number of the primitive, or one of the kinds above.
        body: Where its data or code begins.
        end: Where the next header's text begins.
        does: Address of the action of a word made by `<BUILDS`, else 0.
    """

    name: str
    nfa: int
    cfa: int
    kind: int
    immediate: bool
    body: int
    end: int
    does: int = 0

    @property
    def op(self) -> str:
        """The name that tells what its code does: a primitive's in the kernel's table."""
        return PRIMITIVES[self.kind][0] if self.kind < len(PRIMITIVES) else self.name

    @property
    def primitive(self) -> bool:
        """Whether it is written in C."""
        return self.kind < COLON


class Code(NamedTuple):
    """One instruction: the word called, with what stands behind it."""

    address: int
    cfa: int
    name: str
    next: int
    operand: int = 0
    text: str = ""


class Image:
    """A VM's words, the oldest first."""

    def __init__(self, vm: VM) -> None:
        native = vm.native
        self._vm = vm
        here = native.here()  # which a script may have damaged
        self.here = here if LOWEST < here <= native.memory_size() else native.memory_size()
        self.memory = bytes(LOWEST) + native.read(LOWEST, self.here - LOWEST)
        self.words: list[Word] = []
        self.by_cfa: dict[int, Word] = {}
        self._codes: dict[int, Code | None] = {}
        self._read_words()
        self._starts = [word.nfa for word in self.words]
        self._newest = {word.name: word for word in self.words}

    def _read_words(self) -> None:
        native = self._vm.native
        found: list[tuple[int, str]] = []
        seen: set[int] = set()
        for start in (native.latest(), native.find("axiomFence")):
            nfa = start
            while nfa and nfa not in seen and nfa + 16 <= self.here:
                seen.add(nfa)
                found.append((nfa, self.text(self.cell(nfa))))
                nfa = native.previous(nfa)
        found.sort()
        ends = [self.cell(nfa) for nfa, _ in found[1:]] + [self.here]
        for (nfa, name), end in zip(found, ends, strict=False):
            cfa = nfa + HEADER
            kind = native.primitive(cfa)
            made = kind == DOES
            word = Word(
                name=name,
                nfa=nfa,
                cfa=cfa,
                kind=kind,
                immediate=bool(self.cell(nfa + FLAGS) & IMMEDIATE),
                body=cfa + (2 * CELL if made else CELL),
                end=end if cfa < end <= self.here else self.here,
                does=self.cell(cfa + CELL) if made else 0,
            )
            self.words.append(word)
            self.by_cfa[cfa] = word

    def cell(self, address: int) -> int:
        """Read a cell; 0 outside memory."""
        if not 0 <= address <= self.here - CELL:
            return 0
        return int.from_bytes(self.memory[address : address + CELL], sys.byteorder, signed=True)

    def column(self, start: int, count: int, step: int = CELL) -> list[int]:
        """Read cells that lie `step` bytes apart, as many as memory has room for.

        Scripts may have stored any count.
        """
        room = (self.here - max(start, 0)) // step if step > 0 else 0
        return [self.cell(start + step * n) for n in range(min(count, max(room, 0)))]

    def cells(self, start: int, end: int) -> memoryview:
        """All cells from one address to another."""
        return memoryview(self.memory)[start : end - (end - start) % CELL].cast("i")

    def text(self, address: int) -> str:
        """Read a zero-terminated text."""
        end = self.memory.find(b"\0", max(address, 0))
        return self._vm.native.codec.decode(self.memory[max(address, 0) : max(end, 0)])

    def find(self, name: str) -> Word | None:
        """The newest word of that name, hidden ones included."""
        return self._newest.get(name)

    def rename(self, word: Word, name: str) -> None:
        """Give back a name that memory no longer holds."""
        named = word.replace(name=name)
        self.words[self.words.index(word)] = named
        self.by_cfa[word.cfa] = named
        self._newest = {word.name: word for word in self.words}

    def variable(self, name: str) -> int:
        """What the first body cell of a word holds, 0 if there is no such word."""
        word = self._newest.get(name)
        return self.cell(word.body) if word else 0

    def holder(self, address: int) -> Word | None:
        """The word whose header or body holds an address."""
        index = bisect_right(self._starts, address) - 1
        return self.words[index] if index >= 0 else None

    def maker(self, word: Word) -> str:
        """Name of the word that made one with `<BUILDS`, "" for others."""
        made_by = self.holder(word.does) if word.does > 0 else None
        return made_by.name if made_by else ""

    def code_at(self, address: int) -> Code | None:
        """Decode one instruction; None where no word's token lies."""
        if address not in self._codes:
            self._codes[address] = self._decode(address)
        return self._codes[address]

    def _decode(self, address: int) -> Code | None:
        cell = self.cell(address)
        word = self.by_cfa.get(cell)
        if word is None:
            return None
        after = address + CELL
        name = word.op
        if (word.primitive and (name in JUMPS or name in ("LIT", "COMPILE"))) or (
            not word.primitive and name == "COMPILE"
        ):
            return Code(address, cell, name, after + CELL, self.cell(after))
        if name in IN_LINE_TEXT:
            text = self.text(after)
            size = len(self._vm.native.codec.encode(text))
            return Code(address, cell, name, after + (size + 5) // 4 * 4, text=text)
        return Code(address, cell, name, after)

    def instructions(self, start: int, end: int) -> list[Code]:
        """Decode from an address up to the return that no jump passes."""
        codes: list[Code] = []
        furthest = 0
        address = start
        while address < end and len(codes) < _MOST_CELLS:
            code = self.code_at(address)
            if code is None:
                break
            codes.append(code)
            if code.name in JUMPS:
                furthest = max(furthest, code.operand)
            elif code.name in ENDS and address >= furthest:
                break
            address = code.next
        return codes

    def source(self, address: int) -> int:
        """Source position of the token that made a cell, 0 unknown."""
        return self._vm.native.source_at(address)
