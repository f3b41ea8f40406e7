"""The compiled cells of each source line, and the source files of the script.

Owns the map from lines to cells, which is built on first use.  It must not know how runs are
stopped.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, COLON, HEADER
from forthvm.core.errors import ForthVMError
from forthvm.core.value import Value
from forthvm.debug.sandbox import CONDITION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.loading.source import Text
    from forthvm.core.vm import VM

__all__ = ["CodeMap", "SourceFile"]

_Line = tuple[int, str, int]
"""The first source position of a text, the name of a file (see SourceFile), and a line's number."""

_NEWLINE = 10
_MAX_LINES_BELOW = 10  # the maximum distance from a line without code to the next line with code


class SourceFile(Value):
    """A file with lines of a script: a loaded text, or a file that a loaded text was compiled from.

    Attributes:
        name: The name in messages.
        base: The first source position of the loaded text.
        content: The text of the file.
        library: Whether the file is part of the library, or was compiled from other files.
    """

    name: str
    base: int
    content: str
    library: bool

    @property
    def lines(self) -> list[str]:
        """The lines, without their ends; a line end at the end begins an empty line."""
        return self.content.split("\n")


class CodeMap:
    """Maps source lines to the cells that were compiled from them, for one VM."""

    def __init__(self, vm: VM) -> None:
        """Make the map of a VM whose script is loaded."""
        self._vm = vm
        self._table = vm.sources
        self._cells_by_line: dict[_Line, list[int]] | None = None
        self._mapped_end = 0  # the end of the dictionary when the map was built
        self._spans: dict[int, tuple[int, int]] = {}  # of lines of compiled texts, by position
        self._generated: dict[int, bool] = {}  # results of `is_generated`

    @property
    def script_start(self) -> int:
        """The source position of the first text after the library's texts."""
        position = 1
        for text in self._table.texts:
            if not text.library:
                return text.base
            position = text.base + len(text.data) + 1
        return position

    def line_span(self, position: int) -> tuple[int, int]:
        """Return the source positions of a line's start and of the next line's start.

        In a compiled text, adjacent lines that come from the same original line are one line.

        Args:
            position: Any source position in the line.
        """
        text = self._table.text_at(position)
        if text is None:
            return 0, 0
        if text.original is None:
            return _line_in_text(text, position)
        span = self._spans.get(position)
        if span is None:
            span = self._spans[position] = _original_line_in_text(text, position)
        return span

    def is_generated(self, position: int) -> bool:
        """Whether code was added by the compiler of a text: it has no line in the original files.

        The files that a compiled text loads consist of such code.

        Args:
            position: The source position of the code.
        """
        generated = self._generated.get(position)
        if generated is None:
            text = self._table.text_at(position)
            generated = False
            if text is not None and text.original is not None:
                generated = text.original.locate(position - text.base) is None
            elif text is not None and text.library:
                generated = position >= self.script_start
            self._generated[position] = generated
        return generated

    def files(self) -> Iterator[SourceFile]:
        """Yield the source files, those of the newest text first.

        A compiled text comes after the files from which it was compiled.
        """
        for text in reversed(self._table.texts):
            if text.name == CONDITION:
                continue
            originals = text.original.sources if text.original is not None else {}
            for name, content in originals.items():
                yield SourceFile(name, text.base, content, text.library)
            library = text.library or bool(originals)
            yield SourceFile(text.name, text.base, text.decode(text.data), library)

    def file_named(self, name: str) -> SourceFile:
        """Return the newest file with a name; the name may omit the folder and the extension.

        Raises:
            ForthVMError: No loaded text has this name, or was compiled from a file of this name.
        """
        files = list(self.files())
        folded = name.casefold()

        def file_name(file: SourceFile) -> str:
            return file.name.replace("\\", "/").rpartition("/")[2].casefold()

        for is_match in (
            lambda file: file.name == name,
            lambda file: file_name(file) == folded,
            lambda file: file_name(file).removesuffix(".4th").removesuffix(".zrf") == folded,
        ):
            for file in files:
                if is_match(file):
                    return file
        loaded = ", ".join(dict.fromkeys(f.name for f in files if not f.library)) or "none"
        raise ForthVMError(f"no text {name!r} was loaded (loaded: {loaded})")

    def main_file(self) -> SourceFile | None:
        """Return the script's first file, to which line numbers without a file belong."""
        base = next((text.base for text in self._table.texts if not text.library), None)
        return next((file for file in self.files() if file.base == base), None)

    def cells_at(self, file: SourceFile, line: int) -> tuple[int, tuple[int, ...]]:
        """Return the cells at which a breakpoint on a line stops: the first in each definition.

        If the line has no code, the next line with code is used, up to ten lines below.

        Returns:
            The number of the line and the addresses of the cells.

        Raises:
            ForthVMError: Neither the line nor the lines below it have code.
        """
        cells_by_line = self._first_cells_by_line()
        count = len(file.lines)
        if not 1 <= line <= count:
            raise ForthVMError(f"{file.name} has {count} lines")
        for number in range(line, min(line + _MAX_LINES_BELOW, count) + 1):
            cells = cells_by_line.get((file.base, file.name, number))
            if cells:
                return number, tuple(cells)
        raise ForthVMError(f"{file.name}:{line} has no code, nor have the lines below it")

    def lines_with_code(self, file: SourceFile) -> frozenset[int]:
        """Return the numbers of the lines that definitions were compiled from."""
        lines = self._first_cells_by_line()
        return frozenset(n for base, name, n in lines if (base, name) == (file.base, file.name))

    def _first_cells_by_line(self) -> dict[_Line, list[int]]:
        """Return the first cells of each line, one for each definition."""
        native = self._vm.native
        dictionary_end = native.here()
        if self._cells_by_line is not None and self._mapped_end == dictionary_end:
            return self._cells_by_line
        cells_by_line: dict[_Line, list[int]] = {}
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
                    offset = position - text.base
                    original = text.original.locate(offset) if text.original is not None else None
                    if original is not None:
                        key = text.base, original.file, original.line
                    else:
                        ends = line_ends.get(text.base)
                        if ends is None:
                            ends = line_ends[text.base] = _line_ends(text.data)
                        key = text.base, text.name, bisect_left(ends, offset) + 1
                    if key not in lines_of_word:
                        lines_of_word.add(key)
                        cells_by_line.setdefault(key, []).append(address)
            end, nfa = nfa, native.previous(nfa)
        self._cells_by_line, self._mapped_end = cells_by_line, dictionary_end
        return cells_by_line


def _line_ends(data: bytes) -> list[int]:
    return [at for at, byte in enumerate(data) if byte == _NEWLINE]


def _line_in_text(text: Text, position: int) -> tuple[int, int]:
    """Return the source positions of the start of a line of a text, and of the next line."""
    offset = min(position - text.base, len(text.data))
    start = text.data.rfind(b"\n", 0, offset) + 1
    end = text.data.find(b"\n", offset)
    return text.base + start, text.base + (end if end >= 0 else len(text.data)) + 1


def _original_line_in_text(text: Text, position: int) -> tuple[int, int]:
    """Return the span of the adjacent lines that were compiled from the same original line."""

    def original_line(start: int, end: int) -> tuple[str, int] | None:
        line = text.data[start - text.base : end - text.base]
        first_word = start - text.base + len(line) - len(line.lstrip())
        location = original.locate(first_word)
        return (location.file, location.line) if location is not None else None

    assert text.original is not None
    original = text.original
    start, end = _line_in_text(text, position)
    line = original_line(start, end)
    if line is None:
        return start, end
    while start > text.base:
        previous = _line_in_text(text, start - 1)
        if original_line(*previous) != line:
            break
        start = previous[0]
    while end < text.base + len(text.data):
        following = _line_in_text(text, end)
        if original_line(*following) != line:
            break
        end = following[1]
    return start, end
