"""Snapshots of a VM: reading, comparing and patching them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .clib import ffi, lib

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .clib import CData
    from .machine import Machine

__all__ = ["Snapshot", "digest", "page_size"]


class Snapshot:
    """The complete state of a VM at one moment: memory and parameter stack, immutable.

    Pages that did not change are shared with the VM and with other snapshots.  Any thread may
    delete a snapshot; the VM frees the C memory at its next run or snapshot.
    """

    __slots__ = ("__weakref__", "_native", "_pointer")

    def __init__(self, native: Machine, pointer: CData) -> None:
        """Take ownership of a snapshot allocated by C; only the VM calls this."""
        self._native = native
        self._pointer = pointer

    def __del__(self) -> None:
        self._native._drop(self._pointer)

    @property
    def size(self) -> int:
        """Size of the memory in bytes."""
        size: int = lib.fvm_snapshot_size(self._pointer)
        return size

    def read(self, address: int, length: int) -> bytes:
        """Copy bytes out of memory; fewer than `length` at the end of memory."""
        length = min(length, self.size)
        if length <= 0:
            return b""
        buffer = ffi.new("char[]", length)
        count = lib.fvm_snapshot_read(self._pointer, address & 0xFFFFFFFF, buffer, length)
        return bytes(ffi.buffer(buffer, count))

    def has_same_page(self, other: Snapshot, page: int) -> bool:
        """Return whether both snapshots have the same bytes in a page."""
        return bool(lib.fvm_snapshot_page_same(self._pointer, other._pointer, page))

    def equal(self, other: Snapshot) -> bool:
        """Return whether memory and stack are equal."""
        return bool(lib.fvm_snapshot_equal(self._pointer, other._pointer))

    def key(self, base: Snapshot, salt: int = 0) -> int:
        """Return a 64-bit hash of the cells that differ from `base`, the stack and a salt.

        Equal snapshots have equal keys, in every process.
        """
        key: int = lib.fvm_snapshot_key(self._pointer, base._pointer, salt)
        return key

    def stack(self) -> tuple[int, ...]:
        """Return the parameter stack, the top last."""
        depth = lib.fvm_snapshot_stack(self._pointer, ffi.NULL, 0)
        if depth <= 0:
            return ()
        cells = ffi.new("fvm_cell[]", depth)
        lib.fvm_snapshot_stack(self._pointer, cells, depth)
        return tuple(cells)

    def patch(self, cells: Mapping[int, int], stack: Sequence[int]) -> Snapshot:
        """Return a copy with new values in some cells (by address) and a new stack."""
        return self._native._patch_snapshot(self._pointer, cells, stack)


def page_size() -> int:
    """Return the size of a page in bytes."""
    size: int = lib.fvm_page_size()
    return size


def digest(data: bytes | memoryview) -> int:
    """Return a 64-bit checksum, which detects accidental changes of bytes."""
    number: int = lib.fvm_digest(ffi.from_buffer(data), len(data))
    return number
