"""The memory of a VM as a sequence of bytes.

This file owns indexing and slicing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import overload

    from .bindings import NativeVM

__all__ = ["Memory"]


class Memory:
    """The image: `memory[a]` is a byte, `memory[a:b]` is bytes; both can be assigned.

    Indexes are the addresses that scripts use.  Accesses outside the image raise AddressError.
    Unlike in a list, negative indexes are not allowed, and slices are not clipped.
    """

    __slots__ = ("_native",)

    def __init__(self, native: NativeVM) -> None:
        self._native = native

    def __len__(self) -> int:
        return self._native.memory_size()

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: int) -> int: ...
        @overload
        def __getitem__(self, key: slice) -> bytes: ...

    def __getitem__(self, key: int | slice) -> int | bytes:
        if isinstance(key, slice):
            start, length = self._range(key)
            return self._native.read(start, length)
        return self._native.read(_address(key), 1)[0]

    def __setitem__(self, key: int | slice, value: int | bytes | bytearray) -> None:
        if isinstance(key, slice):
            start, length = self._range(key)
            if isinstance(value, int) or len(value) != length:
                raise ValueError(f"{length} bytes are needed for memory[{start}:{start + length}]")
            self._native.write(start, bytes(value))
        elif isinstance(value, int):
            self._native.write(_address(key), bytes([value]))
        else:
            raise TypeError("a byte of memory is an int from 0 to 255")

    def cell(self, address: int) -> int:
        """Read a cell: four bytes, signed."""
        return self._native.read_cell(address)

    def set_cell(self, address: int, value: int) -> None:
        """Write a cell; the value wraps to 32 bits."""
        self._native.write_cell(address, value)

    def string(self, address: int) -> str:
        """Read a zero-terminated text."""
        return self._native.read_string(address)

    def _range(self, key: slice) -> tuple[int, int]:
        """Return the start and the length of a slice."""
        if key.step not in (None, 1):
            raise ValueError("slices of memory cannot have a step")
        start = _address(0 if key.start is None else key.start)
        stop = len(self) if key.stop is None else key.stop
        return start, max(stop - start, 0)


def _address(value: int) -> int:
    if not 0 <= value < 1 << 32:
        raise IndexError(f"not an address: {value}")
    return value
