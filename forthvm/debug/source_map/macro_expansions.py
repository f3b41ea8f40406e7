"""The cells at which the expansions of macros begin, in scripts compiled from rule files.

Owns telling a new expansion from one that goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.loading.source import MacroCall, Text

__all__ = ["MacroExpansions"]


class MacroExpansions:
    """Collects expansions; the cells are added in the order of their addresses."""

    def __init__(self) -> None:
        # For each macro, the first cell of each expansion, by definition and macro calls.
        self._cells: dict[str, dict[tuple[object, ...], int]] = {}
        self._definition = 0
        # The last call in the definition, by the number of calls outside of it and the macro.
        self._last: dict[tuple[int, str], MacroCall] = {}
        # The calls that the definition does not contain, although its code names them.
        self._foreign: set[tuple[int, str, tuple[int, int]]] = set()

    def cells(self, macro: str) -> tuple[int, ...]:
        """Return the first cell of each expansion of a macro."""
        return tuple(self._cells.get(macro, {}).values())

    def add(self, definition: int, address: int, text: Text, offset: int) -> Iterator[MacroCall]:
        """Add a cell, and yield the macro calls that led to it.

        Args:
            definition: The address of the definition that contains the cell.
            address: The address of the cell.
            text: The text from which the cell was compiled.
            offset: The offset in the text.
        """
        if text.original is None:
            return
        if definition != self._definition:
            self._definition = definition
            self._last.clear()
            self._foreign.clear()
        calls = text.original.macro_calls(offset)
        for at, call in enumerate(calls):
            if self._is_foreign(call, len(calls) - at - 1):
                continue
            key = definition, *((outer.macro, outer.file, outer.at) for outer in calls[at:])
            self._cells.setdefault(call.macro, {}).setdefault(key, address)
            yield call

    def _is_foreign(self, call: MacroCall, depth: int) -> bool:
        """Whether the code after that of another call is only shared with this call.

        Code that several calls share names the first of them, also where another call goes on.
        """
        last = self._last.get((depth, call.macro))
        goes_on = last is not None and last.at != call.at and last.inside < call.inside
        if goes_on or (depth, call.macro, call.at) in self._foreign:
            self._foreign.add((depth, call.macro, call.at))
            return True
        self._last[depth, call.macro] = call
        return False
