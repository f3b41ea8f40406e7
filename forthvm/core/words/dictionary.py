"""The dictionary of a VM as plain records: words, and the instructions of definitions.

This file owns reading memory into them, in one copy; it must not know what any word means
beyond how its code is laid out.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, COLON, DOES, FLAGS, HEADER, IMMEDIATE, LOWEST
from forthvm.core.value import Value

from .code import Code, decode, instructions, operation

if TYPE_CHECKING:
    from forthvm.core.vm import VM

__all__ = ["Image", "Word"]


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
        return operation(self.name, self.kind)

    @property
    def primitive(self) -> bool:
        """Whether it is written in C."""
        return self.kind < COLON


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
            self._codes[address] = decode(self, address)
        return self._codes[address]

    def instructions(self, start: int, end: int) -> list[Code]:
        """Decode from an address up to the return that no jump passes."""
        return list(instructions(self, start, end))

    def word(self, cfa: int) -> tuple[str, int] | None:
        """Name and kind of the word with that token, for the decoder."""
        word = self.by_cfa.get(cfa)
        return None if word is None else (word.name, word.kind)

    def sized_text(self, address: int) -> tuple[str, int]:
        """A zero-terminated text and its length in bytes, for the decoder."""
        text = self.text(address)
        return text, len(self._vm.native.codec.encode(text))

    def source(self, address: int) -> int:
        """Source position of the token that made a cell, 0 unknown."""
        return self._vm.native.source_at(address)
