"""The host of a standard Forth: the texts that its interpreter reads, and input by the user.

This file owns the table of the functions that the library calls by number, and the pauses that a
script makes.  If the host fixes the clock of a VM, pauses end at once and the date is that of the
clock, so that runs can be repeated.  The interpreter is written in Forth.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import (
    CELL,
    FLAGS,
    HEADER,
    HIDDEN,
    INPUT,
    INPUT_BYTES,
    LOCALS_END,
    STACK_ENDS,
)
from forthvm.core.errors import ForthVMError, ScriptFileError, ScriptQuit
from forthvm.core.records import Option
from forthvm.core.words.stack_effect import Effect

from .files import Files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from forthvm.core.bindings import NativeVM
    from forthvm.core.loading.loader import Loader
    from forthvm.core.loading.source import Text

    HostWord = tuple[str, Effect, Callable[..., object]]

__all__ = ["Clock", "StandardHost"]

_NO_FILE = -38
"""Throw code: the file does not exist."""
_NOT_READ = -37
"""Throw code: the file cannot be read."""


class StandardHost:
    """The host of one VM.

    Attributes:
        read_input: Returns the next line that the user types, without its end; None: there is
            none.  If the attribute is None, the user cannot type.
        files: The files that the script may use.
        leave: Ends the program, for BYE; by default BYE ends the text that is interpreted.
    """

    def __init__(
        self,
        native: NativeVM,
        loader: Loader,
        see: Callable[[int], object],
        folder: Path | None = None,
    ) -> None:
        self._native = native
        self._loader = loader
        self.files = Files(native, folder)
        self._clock = Clock(native)
        self._texts: list[tuple[Text, list[bytes], list[int]]] = []
        self._next_line = 0  # of the outermost text
        self._leaves = False  # BYE has run
        self._typed = b""  # characters that KEY has not returned yet
        self.read_input: Callable[[], str | None] | None = None
        self.leave: Callable[[], object] | None = None
        self._see = see

    def words(self) -> list[HostWord]:
        """Return the host words, by the numbers that the library uses."""
        table: tuple[tuple[str, str, Callable[..., object]], ...] = (
            ("$read-line", "( text line addr max -- n position ? )", self._read_line),
            ("$open-text", "( addr n ? position -- text code )", self._open_text),
            ("$accept", "( addr n -- n2 )", self._accept),
            ("$key", "( -- c )", self._key),
            *self.files.words(),
            ("$file-text", "( file -- text code )", self._file_text),
            *self._clock.words(),
            ("$see", "( xt -- )", self._see),
            ("$bye", "( -- )", self._bye),
            ("KEY?", "( -- ? )", lambda: bool(self._typed)),
            ("$type-line", "( -- ? )", self._type_line),
        )
        return [(name, Effect.parse(effect), function) for name, effect, function in table]

    def run(self, text: Text) -> None:
        """Interpret a registered text.  SOURCE-ID is 0 unless the text is a file."""
        outer = self._texts
        assert self._order  # found now, before a text can define words with the names of its cells
        self._texts = list(outer)
        number = self._add(text)
        self._leaves = False
        try:
            with self.keeping_state():
                if outer:  # a host word interprets a text
                    self._native.push(number if text.path is not None else 0)
                    self._native.push(number)
                    self._native.interpret(b"$include-text", text.base)
                else:
                    while not self._interprets_outermost_text():
                        pass
        finally:
            self._texts = outer

    def _interprets_outermost_text(self) -> bool:
        """Interpret the lines of the text; return False if lines are left after a QUIT."""
        native, (text, lines, starts) = self._native, self._texts[0]
        locals_end = native.read_cell(LOCALS_END)
        try:
            native.interpret(b"$run-typed" if text.path is None else b"$run-file", text.base)
        except ScriptQuit:
            if self._leaves:
                raise
            # QUIT returns to what the user types: the next line of the outermost text, or, if that
            # is a file, the text after it.
            native.write_cell(LOCALS_END, locals_end)
            del lines[: self._next_line], starts[: self._next_line], self._texts[1:]
            self._next_line = 0
            return text.path is not None
        return True

    def search_order(self) -> tuple[int, ...]:
        """Return the addresses of the word lists that are searched, the first one first."""
        native, (order, count) = self._native, self._order
        return tuple(native.read_cell(order + CELL * n) for n in range(native.read_cell(count)))

    @cached_property
    def _order(self) -> tuple[int, int]:
        """The addresses of the library's variables that contain the search order."""
        native = self._native
        variables = native.find("$order"), native.find("$order-count")
        return native.body(variables[0] + HEADER), native.body(variables[1] + HEADER)

    def headers(self) -> Iterator[tuple[str, int]]:
        """Yield the names and headers of the words that can be found, in the order of the search.

        Letter case is ignored: a word is left out if another word hides it.
        """
        native, seen = self._native, set[str]()
        for word_list in self.search_order():
            nfa = native.read_cell(word_list)
            while nfa:
                name = native.name(nfa)
                if name and name.upper() not in seen and not native.read_cell(nfa + FLAGS) & HIDDEN:
                    seen.add(name.upper())
                    yield name, nfa
                nfa = native.previous(nfa)

    def find(self, name: str) -> int:
        """Return the header of a word, 0 if there is none.  Letter case is ignored."""
        upper = name.upper()
        return next((nfa for other, nfa in self.headers() if other.upper() == upper), 0)

    def take_line(self) -> str | None:
        """Remove the next line of the outermost text and return it: input in a script."""
        if not self._texts or self._next_line >= len(self._texts[0][1]):
            return None
        _, lines, starts = self._texts[0]
        del starts[self._next_line]
        return self._native.codec.decode(lines.pop(self._next_line))

    def evaluate(self, text: Text) -> None:
        """Interpret a text in which the words for files fail, so that it has no side effects."""
        with self.files.locked():
            self.run(text)

    @contextmanager
    def keeping_state(self) -> Iterator[None]:
        """Restore the input and the depths of the stacks of floats and locals if a block fails."""
        native = self._native
        ends = [native.read_cell(address) for address in STACK_ENDS]
        input_address = native.read_cell(INPUT)
        source = native.read(input_address, INPUT_BYTES)
        try:
            yield
        except BaseException:
            for address, end in zip(STACK_ENDS, ends, strict=True):
                native.write_cell(address, end)
            native.write(input_address, source)
            raise

    def _add(self, text: Text) -> int:
        lines = text.data.split(b"\n")
        if lines[-1] == b"":
            lines.pop()
        starts = []
        at = text.base
        for line in lines:
            starts.append(at)
            at += len(line) + 1
        self._texts.append((text, lines, starts))
        return len(self._texts)

    def _read_line(self, number: int, line: int, address: int, size: int) -> tuple[int, int, bool]:
        if not 1 <= number <= len(self._texts) or line < 0:
            return 0, 0, False
        text, lines, starts = self._texts[number - 1]
        if number == 1:
            self._next_line = line + 1
        if line >= len(lines):
            return 0, 0, False
        data = lines[line].rstrip(b"\r")
        if len(data) > size:
            raise ForthVMError(f"{text.name}:{line + 1}: the line has more than {size} bytes")
        if data:
            self._native.write(address, data)
        return len(data), starts[line], True

    def _open_text(self, address: int, length: int, again: int, position: int) -> tuple[int, int]:
        name = self._native.read(address, length)
        try:
            text = self._loader.open_included(name, position, again=bool(again))
        except ScriptFileError:
            return 0, _NO_FILE
        return (self._add(text) if text is not None else 0), 0

    def _file_text(self, file: int) -> tuple[int, int]:
        try:
            name, data = self.files.rest(file)
        except OSError:
            return 0, _NOT_READ
        return self._add(self._loader.register_text(name, data)), 0

    def _accept(self, address: int, size: int) -> int:
        line = self._input_line()
        data = self._native.codec.encode(line or "")[: max(size, 0)]
        if data:
            self._native.write(address, data)
        return len(data)

    def _type_line(self) -> bool:
        """Add a line that the user types to the outermost text."""
        line = self._input_line()
        if line is None:
            return False
        _, lines, starts = self._texts[0]
        lines.append(self._native.codec.encode(line))
        starts.append(0)  # the line has no place in the source
        return True

    def _input_line(self) -> str | None:
        self._native.flush()  # the user must see what was printed before
        return self.read_input() if self.read_input is not None else None

    def _key(self) -> int:
        if not self._typed:
            line = self._input_line()
            if line is None:
                raise ForthVMError("KEY: there is no input")
            self._typed = self._native.codec.encode(line + "\n")
        first, self._typed = self._typed[0], self._typed[1:]
        return first

    def _bye(self) -> None:
        self._leaves = True
        if self.leave is not None:
            self.leave()
        raise ScriptQuit("BYE")


_LONGEST_PAUSE = 20
"""In milliseconds: MS makes several pauses, between which the limits of the run are checked."""


class Clock:
    """The clock of one VM."""

    def __init__(self, native: NativeVM) -> None:
        self._native = native

    def words(self) -> tuple[tuple[str, str, Callable[..., object]], ...]:
        """Return the host words: name, stack effect, function."""
        return (
            ("$pause", "( n -- n2 )", self._pause),
            ("TIME&DATE", "( -- second minute hour day month year )", self._date),
        )

    def _pause(self, milliseconds: int) -> int:
        """Wait for a part of the time; return the rest."""
        if self._native.get_option(Option.FIXED_CLOCK):
            return 0
        part = min(milliseconds & 0xFFFFFFFF, _LONGEST_PAUSE)
        time.sleep(part / 1000)
        return (milliseconds & 0xFFFFFFFF) - part

    def _date(self) -> tuple[int, ...]:
        if self._native.get_option(Option.FIXED_CLOCK):
            now = time.gmtime(self._native.get_option(Option.CLOCK))
        else:
            now = time.localtime()
        return now.tm_sec, now.tm_min, now.tm_hour, now.tm_mday, now.tm_mon, now.tm_year
