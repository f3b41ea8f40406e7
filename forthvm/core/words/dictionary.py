"""A copy of the dictionary of a VM: words as records, and the instructions of definitions.

This file owns the reader of headers and code in memory.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, COLON, DOES, FLAGS, HEADER, IMMEDIATE, LOWEST

from .code import Code, decode, instructions, operation

if TYPE_CHECKING:
    from forthvm.core.vm import VM

__all__ = ["DictionaryCopy", "Word"]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the dictionary.

    Attributes:
        kind: The opcode in the code field (see layout.py).
        body: Address of the word's data or code.
        end: Address of the name of the next word.
        does: For a word made by `<BUILDS`, the address of its DOES> code; otherwise 0.
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
        """A primitive's name in the primitives table, or the name of any other word."""
        return operation(self.name, self.kind)

    @property
    def primitive(self) -> bool:
        """Whether the word is implemented in C."""
        return self.kind < COLON


class DictionaryCopy:
    """The words of a VM, the oldest first, and a copy of its memory."""

    def __init__(self, vm: VM) -> None:
        native = vm.native
        self._vm = vm
        self.memory_size = native.memory_size()
        here = native.here()  # a script may have damaged HERE
        self.here = here if LOWEST < here <= self.memory_size else self.memory_size
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
        # The words of a vocabulary of the script are linked to each other, not to the library.
        # Therefore the links are followed from the newest word, and from axiomFence, the last word
        # of the library.
        for start in (native.latest(), native.find("axiomFence")):
            nfa = start
            while nfa and nfa not in seen and nfa + HEADER + CELL <= self.here:
                seen.add(nfa)
                found.append((nfa, self.text(self.cell(nfa))))
                nfa = native.previous(nfa)
        found.sort()
        ends = [self.cell(nfa) for nfa, _ in found[1:]] + [self.here]
        for (nfa, name), end in zip(found, ends, strict=False):
            cfa = nfa + HEADER
            kind = native.primitive(cfa)
            has_does = kind == DOES
            word = Word(
                name=name,
                nfa=nfa,
                cfa=cfa,
                kind=kind,
                immediate=bool(self.cell(nfa + FLAGS) & IMMEDIATE),
                body=cfa + (2 * CELL if has_does else CELL),
                end=end if cfa < end <= self.here else self.here,
                does=self.cell(cfa + CELL) if has_does else 0,
            )
            self.words.append(word)
            self.by_cfa[cfa] = word

    def cell(self, address: int) -> int:
        """Read a cell; 0 outside memory."""
        if not 0 <= address <= self.here - CELL:
            return 0
        return int.from_bytes(self.memory[address : address + CELL], sys.byteorder, signed=True)

    def column(self, start: int, count: int, step: int = CELL) -> list[int]:
        """Read up to `count` cells, `step` bytes apart.

        Cells outside memory are left out, since the script may have damaged the count.
        """
        available = (self.here - max(start, 0)) // step if step > 0 else 0
        return [self.cell(start + step * n) for n in range(min(count, max(available, 0)))]

    def cells(self, start: int, end: int) -> memoryview:
        """Return all cells from one address to another."""
        return memoryview(self.memory)[start : end - (end - start) % CELL].cast("i")

    def text(self, address: int) -> str:
        """Read a zero-terminated text."""
        end = self.memory.find(b"\0", max(address, 0))
        return self._vm.native.codec.decode(self.memory[max(address, 0) : max(end, 0)])

    def find(self, name: str) -> Word | None:
        """Return the newest word of that name, even if the emulated version hides the word."""
        return self._newest.get(name)

    def rename(self, word: Word, name: str) -> None:
        """Replace the name of a word, if the name in its header is wrong."""
        renamed = replace(word, name=name)
        self.words[self.words.index(word)] = renamed
        self.by_cfa[word.cfa] = renamed
        self._newest = {word.name: word for word in self.words}

    def variable(self, name: str) -> int:
        """Return the first body cell of a word, 0 if there is no such word."""
        word = self._newest.get(name)
        return self.cell(word.body) if word else 0

    def word_at(self, address: int) -> Word | None:
        """Return the word whose header or body contains an address."""
        index = bisect_right(self._starts, address) - 1
        return self.words[index] if index >= 0 else None

    def defining_word(self, word: Word) -> str:
        """Return the name of the defining word that created a word by `<BUILDS`, else ""."""
        found = self.word_at(word.does) if word.does > 0 else None
        return found.name if found else ""

    def code_at(self, address: int) -> Code | None:
        """Decode one instruction; None if the cell is not the token of a word."""
        if address not in self._codes:
            self._codes[address] = decode(self, address)
        return self._codes[address]

    def instructions(self, start: int, end: int) -> list[Code]:
        """Decode from an address to the first return beyond which no earlier jump leads."""
        return list(instructions(self.code_at, start, end))

    def word(self, cfa: int) -> tuple[str, int] | None:
        """Return name and kind of the word with that token, for the decoder."""
        word = self.by_cfa.get(cfa)
        return None if word is None else (word.name, word.kind)

    def sized_text(self, address: int) -> tuple[str, int]:
        """Return a zero-terminated text and its length in bytes, for the decoder."""
        text = self.text(address)
        return text, len(self._vm.native.codec.encode(text))

    def source(self, address: int) -> int:
        """Return the source position of the token that compiled a cell, 0 if unknown."""
        return self._vm.native.source_at(address)
