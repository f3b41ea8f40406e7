"""The compiled cells of each source line, and the source files of the script.

Owns the map from lines to cells, which is built on first use, and the decision from the text alone
which tokens of a line are compiled or interpreted.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, COLON, HEADER
from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import is_same_file
from forthvm.syntax.tokens import Kind, tokenize

from .line_entries import line_entries
from .macro_expansions import MacroExpansions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from forthvm.core.loading.source import Text
    from forthvm.core.vm import VM

    from .line_entries import LineEntry

__all__ = ["CONDITION", "CodeMap", "FoundCode", "Line", "SourceFile"]

Line = tuple[int, str, int]
"""The first source position of a text, the name of a file (see SourceFile), and a line's number."""

CONDITION = "<condition>"
"""The source name of all texts that are run in the sandbox; they are not source files."""

_NEWLINE = 10
_MAX_LINES_BELOW = 10  # the maximum distance from a line without code to the next line with code
_WITHOUT_CODE = (Kind.COMMENT, Kind.NAME, Kind.QUOTED, Kind.STRING)


@dataclass(frozen=True)
class SourceFile:
    """A file with lines of a script: a loaded text, or a file that a loaded text was compiled from.

    Attributes:
        name: The name in messages.
        base: The first source position of the loaded text.
        content: The text of the file.
        library: Whether the file is part of the library, or was compiled from other files.
        path: The file on disk; None for other texts.
    """

    name: str
    base: int
    content: str
    library: bool
    path: Path | None = None

    @property
    def short_name(self) -> str:
        """The name without the folder."""
        return self.name.replace("\\", "/").rpartition("/")[2]

    @property
    def lines(self) -> list[str]:
        """The lines, without their ends; a line end at the end begins an empty line."""
        return self.content.split("\n")


@dataclass(frozen=True)
class FoundCode:
    """The code of a line.

    Attributes:
        line: The number of the line with code, or of the line that was looked up.
        cells: The addresses of its cells; empty while the code is not compiled yet.
        words_before: For each of the cells that is also executed after an earlier word of the line,
            the cell of that word.
        starts: The cells with which calls of the definitions of these words begin.
        interpreted: Whether the line is interpreted while its file is loaded.
        problem: Why there is no code; "" if there is.
    """

    line: int
    cells: frozenset[int] = frozenset()
    words_before: Mapping[int, int] = field(default_factory=dict)
    starts: frozenset[int] = frozenset()
    interpreted: bool = False
    problem: str = ""


class CodeMap:
    """Maps source lines to the cells that were compiled from them, for one VM."""

    def __init__(self, vm: VM) -> None:
        """Make the map of a VM whose script is loaded."""
        self._vm = vm
        self._table = vm.sources
        # For each line, the first cell in each definition, by the address of the definition.
        self._cells_by_line: dict[Line, dict[int, int]] = {}
        # The same for lines that call macros, and the code of these calls.
        self._cells_by_calling_line: dict[Line, dict[int, int]] = {}
        self._expansions = MacroExpansions()
        # The definitions in `_cells_by_line` that are finished, with the addresses after them.
        self._ends: dict[int, int] = {}
        self._entries: dict[int, list[LineEntry]] = {}  # results of `line_entries` of some of them
        self._interpreted: dict[int, dict[Line, bool]] = {}  # by the first position of a text
        self._line_ends: dict[int, list[int]] = {}  # by the first position of a text
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
            if text.original is not None:
                paths = text.original.paths
                for name, content in text.original.sources.items():
                    yield SourceFile(name, text.base, content, text.library, paths.get(name))
            library = text.library or text.original is not None
            content = text.decode(text.data)
            yield SourceFile(text.name, text.base, content, library, text.path)

    def file_at(self, path: Path) -> SourceFile | None:
        """Return the newest loaded file at a path; None if no text was loaded from it."""
        files = (file for file in self.files() if file.path is not None)
        return next((file for file in files if file.path and is_same_file(file.path, path)), None)

    def path_of(self, name: str) -> Path | None:
        """Return the path of the newest file with a name in messages; None without a file."""
        return next((file.path for file in self.files() if file.name == name), None)

    def find_file(self, name: str) -> SourceFile | None:
        """Return the newest file with a name; the name may omit the folder and the extension."""
        files = list(self.files())
        folded = name.casefold()

        for is_match in (
            lambda file: file.name == name,
            lambda file: file.short_name.casefold() == folded,
            lambda file: file.short_name.casefold() in (f"{folded}.4th", f"{folded}.zrf"),
        ):
            for file in files:
                if is_match(file):
                    return file
        return None

    def file_named(self, name: str) -> SourceFile:
        """Return the file that `find_file` finds.

        Raises:
            ForthVMError: No loaded text has this name, or was compiled from a file of this name.
        """
        file = self.find_file(name)
        if file is None:
            names = dict.fromkeys(file.name for file in self.files() if not file.library)
            raise ForthVMError(
                f"no text {name!r} was loaded (loaded: {', '.join(names) or 'none'})"
            )
        return file

    def main_file(self) -> SourceFile | None:
        """Return the script's first file, to which line numbers without a file belong."""
        base = next((text.base for text in self._table.texts if not text.library), None)
        return next((file for file in self.files() if file.base == base), None)

    def find_code(self, file: SourceFile, line: int, *, loads: bool) -> FoundCode:
        """Return the code at which a breakpoint on a line stops.

        That is the first cell of the line in each definition, and the cells at which jumps enter
        the line, as after ELSE.  The code of a macro belongs to the lines that call the macro, too.
        If the line has no code, the next line with code is used, up to ten lines below.

        Args:
            file: The file of the line.
            line: The number of the line, from 1.
            loads: Whether the file is being loaded, so that its lines are interpreted.
        """
        cells_by_line = self._map()
        count = file.content.count("\n") + 1
        if not 1 <= line <= count:
            return FoundCode(line, problem=f"{file.short_name} has {count} lines")
        for number in range(line, min(line + _MAX_LINES_BELOW, count) + 1):
            key = file.base, file.name, number
            cells = dict(cells_by_line.get(key, {}))
            for nfa, address in self._cells_by_calling_line.get(key, {}).items():
                cells[nfa] = min(cells.get(nfa, address), address)
            if cells:
                return self._found(key, cells)
            interpreted = self._lines_in_text(file).get(key)
            if interpreted and not loads:
                place = f"{file.short_name}:{number}"
                return FoundCode(line, problem=f"{place} runs only while the file is loaded")
            if interpreted is not None and loads:
                return FoundCode(number, interpreted=interpreted)
        place = f"{file.short_name}:{line}"
        return FoundCode(line, problem=f"{place} has no code, nor have the lines below it")

    def _found(self, key: Line, cells: Mapping[int, int]) -> FoundCode:
        """Return the code of a line, given its first cell in each definition."""
        stops = set(cells.values())
        words_before: dict[int, int] = {}
        starts: set[int] = set()
        for nfa in cells:
            of_definition = self._entries_of(nfa)
            on_line = [entry for entry in of_definition if self._line(entry.address) == key]
            stops.update(entry.address for entry in on_line)
            found = {entry.address: entry.before for entry in on_line if entry.before}
            if found:
                words_before.update(found)
                starts.add(nfa + HEADER + CELL)
                starts.update(entry.address for entry in of_definition if entry.starts_call)
        return FoundCode(key[2], frozenset(stops), words_before, frozenset(starts))

    def _entries_of(self, nfa: int) -> list[LineEntry]:
        """Return the cells of a definition at which jumps enter lines."""
        entries = self._entries.get(nfa)
        if entries is None:
            native = self._vm.native
            end = self._ends.get(nfa)
            entries = line_entries(
                native,
                nfa + HEADER + CELL,
                native.here() if end is None else end,
                lambda one, other: self._line(one) == self._line(other),
            )
            if end is not None:
                self._entries[nfa] = entries
        return entries

    def _line(self, address: int) -> Line | None:
        """Return the line from which a cell was compiled."""
        return self.line_at(self._vm.native.source_at(address))

    def _lines_in_text(self, file: SourceFile) -> dict[Line, bool]:
        """Return the lines with code, each with whether it is interpreted and has no definition."""
        lines = self._interpreted.get(file.base)
        if lines is None:
            text = self._table.text_at(file.base)
            lines = self._interpreted[file.base] = {}
            for offset, interpreted in _code_tokens(text.data) if text is not None else ():
                line = self.line_at(file.base + offset)
                if line is not None:
                    lines[line] = lines.get(line, True) and interpreted
        return lines

    def lines_with_code(self, file: SourceFile, *, loads: bool = False) -> frozenset[int]:
        """Return the numbers of the lines that definitions were compiled from.

        Args:
            file: The file of the lines.
            loads: Whether the file is being loaded; then all lines that it compiles or interprets
                are included, also those that it has not reached yet.
        """
        lines = [*self._map(), *(self._lines_in_text(file) if loads else ())]
        return frozenset(n for base, name, n in lines if (base, name) == (file.base, file.name))

    def line_at(self, position: int) -> Line | None:
        """Return the line of a source position; None if no text has the position."""
        text = self._table.text_at(position)
        if text is None:
            return None
        offset = position - text.base
        original = text.original.locate(offset) if text.original is not None else None
        if original is not None:
            return text.base, original.file, original.line
        ends = self._line_ends.get(text.base)
        if ends is None:
            ends = self._line_ends[text.base] = _line_ends(text.data)
        return text.base, text.name, bisect_left(ends, offset) + 1

    def _map(self) -> dict[Line, dict[int, int]]:
        """Return the first cells of each line, after adding those of new definitions."""
        native = self._vm.native
        newest, end = native.latest(), native.here()
        nfa = newest
        while nfa and nfa not in self._ends:
            if native.primitive(nfa + HEADER) == COLON:
                own_text = None  # behind the definition, data of another text may follow
                for address in range(nfa + HEADER + CELL, end, CELL):
                    position = native.source_at(address)
                    line = self.line_at(position)
                    if line is not None and own_text in (None, line[0]):
                        own_text = line[0]
                        self._cells_by_line.setdefault(line, {}).setdefault(nfa, address)
                        for calling in self._calling_lines(nfa, address, position):
                            cells = self._cells_by_calling_line.setdefault(calling, {})
                            cells.setdefault(nfa, address)
            if nfa != newest:  # the newest definition may be unfinished
                self._ends[nfa] = end
            end, nfa = nfa, native.previous(nfa)
        return self._cells_by_line

    def _calling_lines(self, nfa: int, address: int, position: int) -> Iterator[Line]:
        """Yield the lines of the macro calls that led to a cell of a definition."""
        text = self._table.text_at(position)
        if text is not None:
            for call in self._expansions.add(nfa, address, text, position - text.base):
                yield text.base, call.file, call.at[0]

    def expansions(self, macro: str) -> tuple[int, ...]:
        """Return the first cell of each expansion of a macro of a rule file."""
        self._map()
        return self._expansions.cells(macro)


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


def _code_tokens(data: bytes) -> Iterator[tuple[int, bool]]:
    """Yield the offset of each token with code, and whether it is interpreted when it is loaded.

    A colon has no code of its own, because a breakpoint on it belongs to its definition; a number
    that is interpreted runs no word.
    """
    text = data.decode("ascii", errors="replace")  # one character for each byte
    for token in tokenize(text):
        has_code = token.kind not in _WITHOUT_CODE and token.text != ":"
        if has_code and (token.compiling or token.kind is not Kind.NUMBER):
            yield token.start, not token.compiling
