"""A script loaded for its definitions only, however much of it fails.

This file owns the repeated loading: names that are unknown get a word without meaning, other
tokens that fail are blanked out.  It must not know what is checked afterwards.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from forthvm.core.budget import script_budget
from forthvm.core.errors import BudgetExceeded, ForthVMError, ScriptFileError, UndefinedWord
from forthvm.core.loader import Loader
from forthvm.core.report import suggest
from forthvm.core.vm import VM

from .finding import Finding
from .lexer import FILE, NAME, QUOTING, WORD, lex
from .unknown import advice

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from forthvm.core.budget import Budget
    from forthvm.core.place import Location
    from forthvm.core.source import SourceTable, Text

__all__ = ["Loaded", "load"]

#: Of one load; a script that computes tables while it loads stays far below.
STEPS = 50_000_000
_STANDS_IN = "<names without meaning>"
ATTEMPTS = 60
_NUMBER = re.compile(r"[+-]?\d+$")


class Loaded:
    """A VM with what could be loaded of a script.

    Attributes:
        vm: The VM.
        table: The texts that were read, by source position.
        unknown: Names that got a word without meaning.
        findings: What failed.
        complete: The script came to its end without failing.
        stands_in: Tokens of the words without meaning.
        built_in: Names that were there before.
    """

    def __init__(self, vm: VM) -> None:
        self.vm = vm
        self.unknown: list[str] = []
        self.findings: list[Finding] = []
        self.complete = False
        self.table: SourceTable = vm._loader.table
        self.stands_in: tuple[int, ...] = ()
        self.built_in = frozenset(vm.words())

    @property
    def scripts(self) -> list[Text]:
        """The texts that are no library's, in the order of loading."""
        return [text for text in self.table.texts if not text.library and text.name != _STANDS_IN]


class _Patched(Loader):
    """A loader that reads some files with tokens blanked out."""

    def __init__(self, vm: VM, blanks: set[tuple[str, int, int]]) -> None:
        ours = vm._loader
        super().__init__(vm.native, ours.include)
        self.table, self.library = ours.table, ours.library
        self._bundled = ours._bundled
        self._blanks = blanks

    def _run(self, text: Text, *, main: bool = False) -> None:
        data = bytearray(text.data)
        for name, offset, length in self._blanks:
            if name == text.name:
                data[offset : offset + length] = b" " * length
        self.table.add(text)  # as it stands: people are shown what they wrote
        self._open.append(text)
        try:
            self._native.interpret(bytes(data), text.base, main=main)
        finally:
            self._open.pop()
            self._seen.pop(text.base, None)


def load(  # noqa: PLR0913 - keyword-only options, each of them documented
    path: Path,
    *,
    library: str | Path | None = "axiom",
    include: Sequence[str | Path] = (),
    axiom: int | str | None = None,
    steps: int = STEPS,
    attempts: int = ATTEMPTS,
    limits: Budget | None = None,
) -> Loaded:
    """Load a script for its definitions, going on behind what fails in further attempts.

    Raises:
        ScriptFileError: It cannot be read at all.
        ForthVMError: The library cannot be loaded.
    """
    budget = (limits or script_budget()).replace(steps=steps)
    vm = VM(library=library, axiom=axiom, include=include, output=_silent, budget=budget)
    loaded = Loaded(vm)
    start = vm.snapshot()
    texts = len(loaded.table.texts)
    warnings = 0
    blanks: set[tuple[str, int, int]] = set()
    deadline = time.monotonic() + (budget.question_seconds or float("inf"))
    for _ in range(attempts):
        vm.restore(start)
        warnings = len(vm.warnings)
        vm.native.clear_stack()
        del loaded.table.texts[texts:]
        for name in loaded.unknown:
            vm.interpret(f": {name} ;", name=_STANDS_IN)
        loaded.stands_in = tuple(vm.token(name) for name in loaded.unknown)
        loader = _Patched(vm, blanks)
        vm.native.host.load = loader.on_load
        try:
            loader.load(path)
        except ForthVMError as error:
            if isinstance(error, ScriptFileError) and error.location is None:
                raise
            if not _go_on(loaded, error, blanks) or time.monotonic() > deadline:
                break
        else:
            loaded.complete = not loaded.findings
            break
    _note_warnings(loaded, warnings)
    return loaded


def _silent(text: str) -> None:
    """Drop what the script prints."""


def _go_on(loaded: Loaded, error: ForthVMError, blanks: set[tuple[str, int, int]]) -> bool:
    """Note the error and prepare another attempt; False if none makes sense."""
    place = _place(error, loaded)
    if isinstance(error, UndefinedWord):
        name = error.detail
        if name in loaded.unknown or name in loaded.built_in:  # lost by what the script did
            return False
        hints = tuple(_hints(name, loaded))
        if _failed(loaded) and _is_lost(loaded, name, place):
            return False
        if not (_failed(loaded) and _is_defined_before(loaded, name, place)):
            finding = Finding("E101", f"unknown name `{name}`", place, hints=hints)
            loaded.findings.append(finding)
        loaded.unknown.append(name)
        return True
    if isinstance(error, BudgetExceeded):
        text = f"loading was stopped here: {error.what()}"
        loaded.findings.append(Finding("W103", text, place, error.word or "", error.hints))
        return False
    if not _failed(loaded):
        hints = error.hints
        loaded.findings.append(Finding("E102", error.what(), place, error.word or "", hints))
    place = _interpreted_place(error, loaded) or place
    return place is not None and _blank(loaded, place, blanks)


def _failed(loaded: Loaded) -> bool:
    return any(finding.code == "E102" for finding in loaded.findings)


def _is_lost(loaded: Loaded, name: str, place: Location | None) -> bool:
    """Whether a token is no name that anybody could look up: the interpreter has gone astray.

    What failed may leave it with a section's search order, where `:` and `(` are not known.
    """
    text = _text_of(loaded, place)
    if text is None or place is None:
        return False
    lexed = lex(text.data)
    index = lexed.at.get(_offset(text, place))
    return index is None or lexed.tokens[index].kind != WORD or _NUMBER.match(name) is not None


def _is_defined_before(loaded: Loaded, name: str, place: Location | None) -> bool:
    """Whether the texts define a name that only something blanked out has made unknown."""
    here = _text_of(loaded, place)
    for text in loaded.scripts:
        before = _offset(text, place) if text is here and place is not None else len(text.data)
        for token in lex(text.data).tokens:
            if token.kind == NAME and token.start < before and text.decode(token.text) == name:
                return True
    return False


def _interpreted_place(error: ForthVMError, loaded: Loaded) -> Location | None:
    """The token of a script that was interpreted, not what failed inside a definition."""
    for frame in error.trace:
        if frame.word is None and _text_of(loaded, frame.location) is not None:
            return frame.location
    return None


def _hints(name: str, loaded: Loaded) -> list[str]:
    near = suggest(name, loaded.vm.native.words())
    return [hint for hint in (advice(name), near) if hint]


def _place(error: ForthVMError, loaded: Loaded) -> Location | None:
    """The place in a script, not in the library that it called."""
    outside = [frame.location for frame in error.trace if frame.word is None]
    for place in (error.location, *(frame.location for frame in error.trace), *outside):
        if place is not None and any(text.name == place.file for text in loaded.scripts):
            return place
    return error.location


def _text_of(loaded: Loaded, place: Location | None) -> Text | None:
    file = place.file if place is not None else None
    return next((text for text in loaded.scripts if text.name == file), None)


def _offset(text: Text, place: Location) -> int:
    """Where a place lies in its text, in bytes."""
    lines = text.data.split(b"\n")
    before = sum(len(line) + 1 for line in lines[: place.line - 1])
    return before + len(place.text[: place.column - 1].encode(text.encoding, "replace"))


def _blank(loaded: Loaded, place: Location, blanks: set[tuple[str, int, int]]) -> bool:
    """Blank a failing token out for the next attempt, a section that fails at once as a whole."""
    text = _text_of(loaded, place)
    if text is None:
        return False
    offset = _offset(text, place)
    length = len(place.text[place.column - 1 :][: place.length].encode(text.encoding, "replace"))
    blank = (text.name, offset, length)
    if blank in blanks or not text.data[offset : offset + length].strip():
        return False
    start = _reader(text.data, offset)
    end = max(_section_end(text.data, offset, offset + length), _file_end(text.data, offset))
    blanks.add((text.name, start, end - start))
    return True


def _section_end(data: bytes, start: int, end: int) -> int:
    """Where the section ends that a token opens; else the end of that token.

    Its items and its closing word would act on what the opening word has not set up.
    """
    opener = data[start:end]
    if not opener.startswith(b"{") or opener.endswith(b"}"):
        return end
    for token in lex(data).tokens:
        if token.start > start and token.kind == WORD:
            if token.text == opener[1:] + b"}":
                return token.after
            if token.text.startswith(b"{") and not token.text.endswith(b"}"):
                break
    return end


def _file_end(data: bytes, offset: int) -> int:
    """Where the file name ends that the LOAD at an offset reads; 0 if there is no LOAD."""
    lexed = lex(data)
    after = lexed.tokens[lexed.at.get(offset, 0) + 1 :][:1]
    return after[0].after if after and after[0].kind == FILE else 0


def _reader(data: bytes, offset: int) -> int:
    """Where the word stands that reads the token at an offset; else that offset."""
    lexed = lex(data)
    index = lexed.at.get(offset, 0)
    token, before = lexed.tokens[index], lexed.tokens[max(index - 1, 0)]
    item = before.text.startswith(b"{") and before.text.endswith(b"}")
    reads = token.kind in (FILE, NAME) or before.text in QUOTING or item
    return before.start if reads and token.start == offset else offset


def _note_warnings(loaded: Loaded, first: int) -> None:
    for warning in loaded.vm.warnings[first:]:
        code = "W310" if "never finished" in warning.text else "W305"
        finding = Finding(code, warning.text, warning.location)
        if finding not in loaded.findings:
            loaded.findings.append(finding)
