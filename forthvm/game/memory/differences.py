"""Differences between two states of memory, as short lists of cells.

Owns the comparison and the form of the list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings import page_size
from forthvm.core.bindings.layout import CELL
from forthvm.game.tables import cells_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forthvm.core.bindings import Snapshot

__all__ = ["CellRun", "cells_from_runs", "changed_runs"]

CellRun = tuple[int, tuple[int, ...]]
"""The address of the first of several adjacent cells, and the cells."""


def changed_runs(
    state: Snapshot, base: Snapshot, *, ignored: Sequence[tuple[int, int]] = ()
) -> list[CellRun]:
    """Return the cells of `state` that differ from `base`, in order of address.

    Adjacent cells are joined, so that equal states have equal lists.

    Args:
        state: A state of memory.
        base: Another one.
        ignored: Begin and end of each range that is not compared.
    """
    runs: list[CellRun] = []
    start = end = -1
    cells: list[int] = []
    for address, cell in _changed_cells(state, base):
        if any(begin <= address < end for begin, end in ignored):
            continue
        if address != end:
            if cells:
                runs.append((start, tuple(cells)))
            start, cells = address, []
        cells.append(cell)
        end = address + CELL
    if cells:
        runs.append((start, tuple(cells)))
    return runs


def cells_from_runs(runs: list[CellRun]) -> dict[int, int]:
    """Return the cells by address, for `Snapshot.patch`."""
    return {
        address + CELL * index: cell for address, cells in runs for index, cell in enumerate(cells)
    }


def _changed_cells(state: Snapshot, base: Snapshot) -> Iterator[tuple[int, int]]:
    """Yield the address and the new value of each changed cell."""
    page_bytes = page_size()
    length = max(state.size, base.size)
    for page in range((length + page_bytes - 1) // page_bytes):
        if state.has_same_page(base, page):
            continue
        new_cells = _cells_of_page(state, page, page_bytes)
        old_cells = _cells_of_page(base, page, page_bytes)
        for index, (new, old) in enumerate(zip(new_cells, old_cells, strict=True)):
            if new != old:
                yield page * page_bytes + index * CELL, new


def _cells_of_page(snapshot: Snapshot, page: int, page_bytes: int) -> tuple[int, ...]:
    """Return the cells of one page; cells beyond the end of the snapshot are 0."""
    return cells_of(snapshot.read(page * page_bytes, page_bytes).ljust(page_bytes, b"\0"))
