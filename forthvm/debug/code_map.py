"""The compiled cells of each source line, and the texts that belong to the script.

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
_MAX_LINES_BELOW = 10  # the maximum distance from a line without code to the next line with code


class CodeMap:
    """Maps source lines to the cells that were compiled from them, for one VM."""

    def __init__(self, vm: VM) -> None:
        """Make the map of a VM whose script is loaded."""
        self._vm = vm
        self._table = vm.sources
        self._cells_by_line: dict[tuple[int, int], list[int]] | None = None
        self._mapped_end = 0  # the end of the dictionary when the map was built

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

        def file_name(text: Text) -> str:
            return text.name.rpartition("/")[2].casefold()

        for is_match in (
            lambda text: text.name == name,
            lambda text: file_name(text) == folded,
            lambda text: file_name(text).removesuffix(".4th") == folded,
        ):
            for text in texts:
                if is_match(text):
                    return text
        loaded = ", ".join(dict.fromkeys(t.name for t in texts if not t.library)) or "none"
        raise ForthVMError(f"no text {name!r} was loaded (loaded: {loaded})")

    def main_text(self) -> Text | None:
        """Return the script's first text, to which line numbers without a file belong."""
        return next((text for text in self._table.texts if not text.library), None)

    def cells_at(self, text: Text, line: int) -> tuple[int, tuple[int, ...]]:
        """Return the cells at which a breakpoint on a line stops: the first in each definition.

        If the line has no code, the next line with code is used, up to ten lines below.

        Returns:
            The number of the line and the addresses of the cells.

        Raises:
            ForthVMError: Neither the line nor the lines below it have code.
        """
        cells_by_line = self._first_cells_by_line()
        count = text.data.count(b"\n") + 1
        if not 1 <= line <= count:
            raise ForthVMError(f"{text.name} has {count} lines")
        for number in range(line, min(line + _MAX_LINES_BELOW, count) + 1):
            cells = cells_by_line.get((text.base, number))
            if cells:
                return number, tuple(cells)
        raise ForthVMError(f"{text.name}:{line} has no code, nor have the lines below it")

    def _first_cells_by_line(self) -> dict[tuple[int, int], list[int]]:
        """Return the first cells of each line, one for each definition.

        A key has the first source position of a text, and the number of the line in this text.
        """
        native = self._vm.native
        dictionary_end = native.here()
        if self._cells_by_line is not None and self._mapped_end == dictionary_end:
            return self._cells_by_line
        cells_by_line: dict[tuple[int, int], list[int]] = {}
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
                        cells_by_line.setdefault(key, []).append(address)
            end, nfa = nfa, native.previous(nfa)
        self._cells_by_line, self._mapped_end = cells_by_line, dictionary_end
        return cells_by_line


def _line_ends(data: bytes) -> list[int]:
    return [at for at, byte in enumerate(data) if byte == _NEWLINE]
