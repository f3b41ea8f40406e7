"""The cells to which each source line was compiled, and the texts that belong to the script.

Owns the map from lines to cells, which is built on first use.  It must not know how runs are
stopped.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, COLON, HEADER
from forthvm.core.errors import ForthVMError
from forthvm.debug.sandbox import CONDITION

if TYPE_CHECKING:
    from forthvm.core.loading.source import Text
    from forthvm.core.vm import VM

__all__ = ["CodeMap"]

_NEWLINE = 10
_LINES_BELOW = 10  # the maximum distance from a line without code to the next line with code


class CodeMap:
    """The cells of one VM by the lines they were compiled from."""

    def __init__(self, vm: VM) -> None:
        """Read a VM; its script must be loaded already."""
        self._vm = vm
        self._table = vm.sources
        self._lines: dict[tuple[int, int], list[int]] | None = None
        self._end = 0

    @property
    def script_start(self) -> int:
        """The source position of the first text after the library's texts."""
        library = [text for text in self._table.texts if text.library]
        return library[-1].base + len(library[-1].data) + 1 if library else 1

    def line_span(self, position: int) -> tuple[int, int]:
        """Return the source positions of a line's start and of the next line's start.

        Args:
            position: Any source position in the line.
        """
        text = self._table.text_at(position)
        if text is None:
            return 0, 0
        offset = min(position - text.base, len(text.data))
        start = text.data.rfind(b"\n", 0, offset) + 1
        end = text.data.find(b"\n", offset)
        return text.base + start, text.base + (end if end >= 0 else len(text.data)) + 1

    def text_named(self, name: str) -> Text:
        """Return the newest text with a name; the name may omit the folder and the extension.

        Raises:
            ForthVMError: No loaded text has this name.
        """
        texts = [text for text in reversed(self._table.texts) if text.name != CONDITION]
        folded = name.casefold()

        def names(text: Text) -> tuple[str, ...]:
            file = text.name.rpartition("/")[2].casefold()
            return text.name, file, file.removesuffix(".4th")

        # A complete name comes before a file name, and a file name before a name without `.4th`.
        for form in range(3):
            for text in texts:
                if names(text)[form] == (name if form == 0 else folded):
                    return text
        known = ", ".join(dict.fromkeys(t.name for t in texts if not t.library)) or "none"
        raise ForthVMError(f"no text {name!r} was loaded (loaded: {known})")

    def main_text(self) -> Text | None:
        """Return the script's first text, to which line numbers without a file belong."""
        return next((text for text in self._table.texts if not text.library), None)

    def cells_at(self, text: Text, line: int) -> tuple[int, tuple[int, ...]]:
        """Return the cells to stop at for a line: its first cell in each definition.

        If the line has no code, the next line with code is used, up to ten lines below.

        Returns:
            The number of the line and the addresses of the cells.

        Raises:
            ForthVMError: Neither the line nor the lines below it have code.
        """
        lines = self._all_lines()
        count = text.data.count(b"\n") + 1
        if not 1 <= line <= count:
            raise ForthVMError(f"{text.name} has {count} lines")
        for number in range(line, min(line + _LINES_BELOW, count) + 1):
            cells = lines.get((text.base, number))
            if cells:
                return number, tuple(cells)
        raise ForthVMError(f"{text.name}:{line} has no code, nor have the lines below it")

    def _all_lines(self) -> dict[tuple[int, int], list[int]]:
        """Return the first cell of each line in each definition, by text and line."""
        native = self._vm.native
        dictionary_end = native.here()
        if self._lines is not None and self._end == dictionary_end:
            return self._lines
        lines: dict[tuple[int, int], list[int]] = {}
        start = self.script_start
        end, nfa = dictionary_end, native.latest()
        line_ends: dict[int, list[int]] = {}
        while nfa and native.source_at(nfa + HEADER) >= start:
            if native.primitive(nfa + HEADER) == COLON:
                lines_of_word = set()
                for address in range(nfa + HEADER + CELL, end, CELL):
                    position = native.source_at(address)
                    text = self._table.text_at(position) if position >= start else None
                    if text is None:
                        continue
                    ends = line_ends.get(text.base)
                    if ends is None:
                        ends = line_ends[text.base] = _line_ends(text.data)
                    key = text.base, bisect_left(ends, position - text.base) + 1
                    if key not in lines_of_word:
                        lines_of_word.add(key)
                        lines.setdefault(key, []).append(address)
            end, nfa = nfa, native.previous(nfa)
        self._lines, self._end = lines, dictionary_end
        return lines


def _line_ends(data: bytes) -> list[int]:
    return [at for at, byte in enumerate(data) if byte == _NEWLINE]
