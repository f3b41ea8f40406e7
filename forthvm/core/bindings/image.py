"""The VM's methods for memory: source positions, the dictionary, cells, saving and loading memory.

Each method wraps C functions; machine.py has the rules for their calls.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from forthvm.core.status import Status

from .clib import ffi, lib
from .layout import ADDRESS_MASK, CELL
from .machine import Machine

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ImageMachine"]


class ImageMachine(Machine):
    """One VM of the C core, with access to its memory."""

    # --- source and dictionary -------------------------------------------------------

    def source_add(self, length: int) -> int:
        """Register a text; return the source position of its first byte.

        Raises:
            LimitExceeded: 4 GiB of text have been registered, so no positions are left.
        """
        with self.lock:
            base: int = lib.fvm_source_add(self._vm, length)
        if not base:
            from forthvm.core.errors import LimitExceeded

            raise LimitExceeded(
                "too much source text: one VM can interpret 4 GiB, repeated text included"
            )
        return base

    def interpret(self, text: bytes, base: int, *, main: bool = False) -> None:
        """Interpret a text.

        Args:
            text: The bytes.
            base: The source position of the first byte.
            main: Whether sections and definitions must be finished at the end of the text.
        """
        self._run(lib.fvm_interpret, text, len(text), base, int(main))

    def source_at(self, address: int) -> int:
        """Return the source position of the token that compiled a cell, 0 if unknown."""
        position: int = lib.fvm_source_at(self._vm, address & ADDRESS_MASK)
        return position

    def find(self, name: str) -> int:
        """Return the header (NFA) of the newest word of that name, or 0."""
        with self.lock:
            nfa: int = lib.fvm_find(self._vm, self.codec.encode(name))
            if not nfa and not name.isascii():
                nfa = lib.fvm_find(self._vm, name.encode("utf-8", errors="replace"))
        return nfa

    def latest(self) -> int:
        """Return the header of the newest word."""
        nfa: int = lib.fvm_latest(self._vm)
        return nfa

    def previous(self, nfa: int) -> int:
        """Return the header of the next older word, 0 for the oldest word."""
        older: int = lib.fvm_previous(self._vm, nfa & ADDRESS_MASK)
        return older

    def word_at(self, address: int) -> int:
        """Return the header of the word whose code contains the address, or 0."""
        nfa: int = lib.fvm_word_at(self._vm, address & ADDRESS_MASK)
        return nfa

    def words(self) -> Iterator[str]:
        """Yield the names of all words that can be found, the newest first."""
        seen = set()
        nfa = self.latest()
        while nfa:
            name = self.name(nfa)
            if name and name not in seen:
                seen.add(name)
                if self.find(name):  # `find` ignores words that exist only in other versions
                    yield name
            nfa = self.previous(nfa)

    def name(self, nfa: int) -> str:
        """Return the name of the word with that header."""
        return self._text(lib.fvm_name, nfa & ADDRESS_MASK)

    def body(self, cfa: int) -> int:
        """Return the address of a word's data (CFA>PFA)."""
        pfa: int = lib.fvm_body(self._vm, cfa & ADDRESS_MASK)
        return pfa

    def primitive(self, cfa: int) -> int:
        """Return the opcode (see layout.py) in a code field, -1 if the cell is no code field."""
        number: int = lib.fvm_primitive(self._vm, cfa & ADDRESS_MASK)
        return number

    def define_host_word(self, name: str, number: int) -> None:
        """Define a host word, which calls `Host.word` with that number."""
        self._run(lib.fvm_define_host_word, self.codec.encode(name), number)

    def warning(self, index: int) -> tuple[str, int] | None:
        """Return the text and the source position of a warning, None after the last one."""
        buffer = ffi.new("char[]", 1024)
        position = ffi.new("uint32_t *")
        length = lib.fvm_warning(self._vm, index, buffer, 1024, position)
        if length < 0:
            return None
        return self.codec.decode(ffi.string(buffer)), position[0]

    # --- memory ----------------------------------------------------------------------

    def memory_size(self) -> int:
        """Return the current size of memory in bytes."""
        size: int = lib.fvm_memory_size(self._vm)
        return size

    def here(self) -> int:
        """Return HERE, the end of the dictionary."""
        address: int = lib.fvm_here(self._vm)
        return address

    def read(self, address: int, length: int) -> bytes:
        """Copy bytes out of memory.

        Raises:
            AddressError: The bytes are not all in memory.
        """
        if not 0 <= length <= self.memory_size():
            from forthvm.core.errors import AddressError

            raise AddressError(f"a read of {length} bytes at {address}", value=address)
        buffer = ffi.new("char[]", max(length, 1))
        self._call(lib.fvm_read, address & ADDRESS_MASK, buffer, length, value=address)
        return bytes(ffi.buffer(buffer, length))

    def write(self, address: int, data: bytes) -> None:
        """Copy bytes into memory."""
        self._call(
            lib.fvm_write, address & ADDRESS_MASK, ffi.from_buffer(data), len(data), value=address
        )

    def read_cell(self, address: int) -> int:
        """Read one cell."""
        return int.from_bytes(self.read(address, CELL), sys.byteorder, signed=True)

    def write_cell(self, address: int, value: int) -> None:
        """Write one cell; the value wraps to 32 bits."""
        self.write(address, (value & 0xFFFFFFFF).to_bytes(4, sys.byteorder))

    def read_string(self, address: int) -> str:
        """Read a zero-terminated text."""
        data = bytearray()
        address &= ADDRESS_MASK
        size = self.memory_size()
        while b"\0" not in data and address < size:
            chunk = self.read(address, min(64, size - address))
            data += chunk
            address += len(chunk)
        return self.codec.decode(bytes(data).split(b"\0", 1)[0])

    # --- saved memory ----------------------------------------------------------------

    def image_save(self) -> bytes | None:
        """Return memory and source positions as bytes; None during a run or while loading."""
        with self.lock:
            size = lib.fvm_image_save(self._vm, ffi.NULL, 0)
            if size == 0:
                return None
            buffer = ffi.new("char[]", size)
            lib.fvm_image_save(self._vm, buffer, size)
        return bytes(ffi.buffer(buffer, size))

    def image_load(self, saved: bytes | memoryview, source_end: int) -> bool:
        """Load saved memory into a new VM; return False if this VM cannot use it.

        Args:
            saved: Bytes that `image_save` returned.
            source_end: The first unused source position when the memory was saved.  If the saved
                bytes contain another position, they are refused.
        """
        with self.lock:
            block = ffi.from_buffer(saved)
            status: int = lib.fvm_image_load(self._vm, block, len(saved), source_end)
        return status == Status.OK
