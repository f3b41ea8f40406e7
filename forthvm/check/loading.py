"""Loads a script for analysis, and continues after errors.

This file owns the repeated attempts: after each error, the script is loaded again with the unknown
name defined as an empty word, or with the failing text repaired or blanked out.  It must not know
the rules that check the result.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from forthvm.core.budget import script_budget
from forthvm.core.errors import BudgetExceeded, ForthVMError, ScriptFileError, UndefinedWord
from forthvm.core.errors.report import suggest
from forthvm.core.loading.loader import Loader
from forthvm.core.loading.source import line_number
from forthvm.core.output import discard
from forthvm.core.vm import VM

from .finding import Finding
from .text.lexer import FILE, NAME, WORD, lex
from .text.missing import missing_blank, missing_ends, open_at_end
from .text.repairs import (
    Repair,
    blank_out,
    end_definition,
    insert_blank,
    repaired,
    split_glued_name,
)
from .text.unknown import advice
from .text.words import QUOTING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from forthvm.core.budget import Budget
    from forthvm.core.loading.source import SourceTable, Text
    from forthvm.core.location import Location

__all__ = ["Loaded", "load"]

#: Step limit of one load; scripts that compute tables while they load need far fewer.
STEPS = 50_000_000
_PLACEHOLDERS = "<placeholders>"
#: Limit of loads of one script; each error needs another load.
ATTEMPTS = 60
_NUMBER = re.compile(r"[+-]?\d+$")


class Loaded:
    """A VM with the parts of a script that could be loaded.

    Attributes:
        vm: The VM.
        table: The texts, by source position.
        unknown: Unknown names, for which placeholder words were defined.
        findings: The errors.
        complete: The script was loaded to its end without errors.
        placeholders: Execution tokens of the placeholder words.
        built_in: Names that were defined before the script was loaded.
        glued_names: For each unknown name that consists of several words without a blank, these
            words.
        names_may_be_missing: A file or section that may define names could not be read.
        emptied: Names of definitions whose bodies were removed by a repair.
        cause: Index of the last finding that may have consequences, -1 if there is none.
    """

    def __init__(self, vm: VM) -> None:
        self.vm = vm
        self.unknown: list[str] = []
        self.findings: list[Finding] = []
        self.complete = False
        self.table: SourceTable = vm.sources
        self.placeholders: tuple[int, ...] = ()
        self.built_in = frozenset(vm.words())
        self.glued_names: dict[str, tuple[str, ...]] = {}
        self.names_may_be_missing = False
        self.emptied: set[str] = set()
        self.cause = -1
        self._repairs: dict[str, list[Repair]] = {}

    @property
    def scripts(self) -> list[Text]:
        """The texts that are not part of the library, in the order of loading."""
        texts = self.table.texts
        return [text for text in texts if not text.library and text.name != _PLACEHOLDERS]

    def is_known(self, name: str) -> bool:
        """Whether a word with the name exists, or the name is a number."""
        return self.vm.native.find(name) != 0 or _NUMBER.match(name) is not None

    def repair(self, text: Text, repair: Repair | None) -> bool:
        """Record a repair for the next attempt; return False if it is None or already recorded."""
        known = self._repairs.setdefault(text.name, [])
        if repair is None or repair in known:
            return False
        known.append(repair)
        return True

    def repaired(self, text: Text, *, main: bool) -> bytes:
        """Return the bytes of a text with all repairs so far.

        A definition that is open at the end of the main script stays: the VM warns of it.
        """
        ends = [
            end_definition(text.data, definition)
            for definition in lex(text.data).unfinished
            if definition.next_words or not main
        ]
        return repaired(text.data, [*ends, *self._repairs.get(text.name, ())])

    def note_cause(self, finding: Finding) -> None:
        """Record an error that may have consequences, unless an earlier attempt recorded it."""
        known = [(other.code, other.location) for other in self.findings]
        if (finding.code, finding.location) not in known:
            self.cause = len(self.findings)
            self.findings.append(finding)

    def add_consequence(self, consequence: str) -> None:
        """Record a consequence of the last error that may have consequences."""
        cause = self.findings[self.cause]
        follows = dict.fromkeys([*cause.follows, consequence])
        self.findings[self.cause] = cause.replace(follows=tuple(follows))


class _RepairingLoader(Loader):
    """A loader that applies the repairs to the texts that it loads."""

    def __init__(self, loaded: Loaded) -> None:
        original = loaded.vm.loader
        super().__init__(loaded.vm.native, original.include)
        self.table, self.library = original.table, original.library
        self.bundled = original.bundled
        self._loaded = loaded

    def _source_of(self, text: Text, *, main: bool) -> bytes:
        loaded = self._loaded
        data = loaded.repaired(text, main=main)
        for finding in missing_ends(text, self.table, loaded.is_known, main=main):
            loaded.note_cause(finding)
        return data


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
    """Load a script for analysis; after an error, load it again with a repair.

    Args:
        path: The main script.
        library: As for `VM`.
        include: As for `VM`.
        axiom: As for `VM`.
        steps: Limit of steps for each attempt.
        attempts: Limit of attempts.
        limits: Time and memory of each attempt; None for the limits of `script_budget`.

    Raises:
        ScriptFileError: The main file cannot be read.
        ForthVMError: The library cannot be loaded.
    """
    budget = (limits or script_budget()).replace(steps=steps)
    vm = VM(library=library, axiom=axiom, include=include, output=discard, budget=budget)
    loaded = Loaded(vm)
    start = vm.snapshot()
    library_text_count = len(loaded.table.texts)
    earlier_warning_count = 0
    deadline = time.monotonic() + (budget.call_seconds or float("inf"))
    for _ in range(attempts):
        vm.restore(start)
        earlier_warning_count = len(vm.warnings)
        vm.native.clear_stack()
        del loaded.table.texts[library_text_count:]
        for name in loaded.unknown:
            vm.interpret(f": {name} ;", name=_PLACEHOLDERS)
        loaded.placeholders = tuple(vm.token(name) for name in loaded.unknown)
        loader = _RepairingLoader(loaded)
        vm.native.host.load = loader.on_load
        try:
            loader.load(path)
        except ForthVMError as error:
            if isinstance(error, ScriptFileError) and error.location is None:
                raise
            if not _prepare_retry(loaded, error) or time.monotonic() > deadline:
                break
        else:
            loaded.complete = not loaded.findings
            break
    _note_emptied(loaded)
    _note_warnings(loaded, earlier_warning_count)
    return loaded


def _note_emptied(loaded: Loaded) -> None:
    """Treat definitions that were emptied as placeholders: their effects are unknown."""
    for text in loaded.scripts:
        for definition in lex(text.data).unfinished:
            if definition.next_words or text is not loaded.scripts[0]:
                loaded.complete = False
                loaded.emptied.add(text.decode(definition.name.text))
    native = loaded.vm.native
    defined = [name for name in sorted(loaded.emptied) if native.find(name)]
    loaded.placeholders += tuple(loaded.vm.token(name) for name in defined)


def _prepare_retry(loaded: Loaded, error: ForthVMError) -> bool:
    """Record an error and prepare another attempt; return False if none can succeed."""
    location = _script_location(error, loaded)
    if isinstance(error, UndefinedWord):
        return _prepare_unknown(loaded, error.detail, location)
    if isinstance(error, BudgetExceeded):
        text = f"loading was stopped here: {error.short_message()}"
        loaded.findings.append(Finding("W103", text, location, error.word or "", error.hints))
        return False
    file_unreadable = isinstance(error, ScriptFileError)
    if _failed(loaded) and not file_unreadable:
        loaded.add_consequence(_line(loaded, location))
    else:
        finding = Finding("E102", error.short_message(), location, error.word or "", error.hints)
        loaded.note_cause(finding)
        loaded.names_may_be_missing |= file_unreadable
    location = _interpreted_location(error, loaded) or location
    return location is not None and _blank(loaded, location)


def _prepare_unknown(loaded: Loaded, name: str, location: Location | None) -> bool:
    """Record an unknown name, and prepare an attempt in which it is defined or corrected."""
    if name in loaded.unknown or name in loaded.built_in:  # the script has damaged the memory
        return False
    if _failed(loaded) and _is_out_of_sync(loaded, name, location):
        return False
    if _skip_comment(loaded, name, location):
        return True
    if parts := split_glued_name(name, loaded.is_known, loaded.built_in):
        if _insert_blank(loaded, name, parts, location):
            return True
    elif _failed(loaded) and (
        loaded.names_may_be_missing or _is_defined_before(loaded, name, location)
    ):
        loaded.add_consequence(f"`{name}`")
    else:
        follows = tuple(_later_uses(loaded, name, location))
        advice = tuple(_hints(name, loaded))
        finding = Finding("E101", f"unknown name `{name}`", location, "", advice, follows)
        loaded.findings.append(finding)
    loaded.unknown.append(name)
    return True


def _skip_comment(loaded: Loaded, name: str, location: Location | None) -> bool:
    """Record a one-line comment without the blank after its bracket, and blank it out."""
    text = _text_of(loaded, location)
    if len(name) < 2 or name[0] != "(" or text is None or location is None:  # noqa: PLR2004 - "(n"
        return False
    start = _offset(text, location)
    line = text.data[start:].split(b"\n", 1)[0]
    end = line.find(b" )")
    if end < 0 or b"(" in line[1:end]:
        return False
    loaded.findings.append(missing_blank(name, ("(", name[1:]), location))
    return loaded.repair(text, blank_out(text.data, start, start + end + 2))


def _insert_blank(
    loaded: Loaded, name: str, parts: tuple[str, ...], location: Location | None
) -> bool:
    """Record a name that lacks a blank, and insert the blank if possible without moving text."""
    finding = missing_blank(name, parts, location)
    loaded.glued_names[name] = parts
    text = _text_of(loaded, location)
    repair = None
    if text is not None and location is not None:
        token, *encoded = (part.encode(text.encoding, "replace") for part in (name, *parts))
        repair = insert_blank(text.data, _offset(text, location), token, tuple(encoded))
    if text is None or repair is None:
        loaded.note_cause(finding)
        loaded.names_may_be_missing |= any(brace in name for brace in "{}")
        return False
    if parts[0] == ":":
        loaded.emptied.add(parts[1])
        loaded.note_cause(finding)
    else:
        loaded.findings.append(finding)
    return loaded.repair(text, repair)


def _line(loaded: Loaded, location: Location | None) -> str:
    """Describe the line of a consequence, with its file if the cause is in another file."""
    cause = loaded.findings[loaded.cause].location
    if location is None or (cause is not None and cause.file == location.file):
        return f"line {location.line}" if location is not None else "the text after it"
    return f"{location.file}:{location.line}"


def _later_uses(loaded: Loaded, name: str, location: Location | None) -> Iterator[str]:
    """Yield the later lines of the same text that use an unknown name, up to its definition."""
    text = _text_of(loaded, location)
    if text is None or location is None:
        return
    offset = _offset(text, location)
    for token in lex(text.data).tokens:
        if token.start <= offset or text.decode(token.text) != name:
            continue
        if token.kind == NAME:
            break
        if token.kind == WORD:
            yield f"line {line_number(text.data, token.start)}"


def _failed(loaded: Loaded) -> bool:
    """Whether an error with possible consequences was found."""
    return loaded.cause >= 0


def _is_out_of_sync(loaded: Loaded, name: str, location: Location | None) -> bool:
    """Whether the interpreter reports an unknown name where the text has no word.

    After an error, the search order may still be that of a section, where `:` and `(` are unknown.
    """
    text = _text_of(loaded, location)
    if text is None or location is None:
        return False
    lexed = lex(text.data)
    index = lexed.at.get(_offset(text, location))
    return index is None or lexed.tokens[index].kind != WORD or _NUMBER.match(name) is not None


def _is_defined_before(loaded: Loaded, name: str, location: Location | None) -> bool:
    """Whether the original texts define a name, so that it is unknown only because of a repair."""
    own_text = _text_of(loaded, location)
    for text in loaded.scripts:
        before = len(text.data)
        if text is own_text and location is not None:
            before = _offset(text, location)
        for token in lex(text.data).tokens:
            if token.kind == NAME and token.start < before and text.decode(token.text) == name:
                return True
    return False


def _interpreted_location(error: ForthVMError, loaded: Loaded) -> Location | None:
    """Return the location of the interpreted token whose execution led to an error."""
    for frame in error.trace:
        if frame.word is None and _text_of(loaded, frame.location) is not None:
            return frame.location
    return None


def _hints(name: str, loaded: Loaded) -> list[str]:
    similar = suggest(name, loaded.vm.native.words())
    return [hint for hint in (advice(name), similar) if hint]


def _script_location(error: ForthVMError, loaded: Loaded) -> Location | None:
    """Return the innermost location of an error in a script instead of the library."""
    for location in (error.location, *(frame.location for frame in error.trace)):
        if location is not None and any(text.name == location.file for text in loaded.scripts):
            return location
    return error.location


def _text_of(loaded: Loaded, location: Location | None) -> Text | None:
    file = location.file if location is not None else None
    return next((text for text in loaded.scripts if text.name == file), None)


def _offset(text: Text, location: Location) -> int:
    """Return the offset of a location in its text, in bytes."""
    lines = text.data.split(b"\n")
    before = sum(len(line) + 1 for line in lines[: location.line - 1])
    return before + len(location.text[: location.column - 1].encode(text.encoding, "replace"))


def _blank(loaded: Loaded, location: Location) -> bool:
    """Blank out a failing token, or the section that it opens; return False if impossible."""
    text = _text_of(loaded, location)
    if text is None:
        return False
    offset = _offset(text, location)
    token = location.text[location.column - 1 :][: location.length]
    length = len(token.encode(text.encoding, "replace"))
    if not text.data[offset : offset + length].strip():
        return False
    start = _reader_offset(text.data, offset)
    end = max(_section_end(text.data, offset, offset + length), _argument_end(text.data, offset))
    return loaded.repair(text, blank_out(text.data, start, end))


def _section_end(data: bytes, start: int, end: int) -> int:
    """Return the end of the section that a token opens, or of the token if it opens none.

    The other words of the section are blanked out too: they need data that its first word creates.
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


def _argument_end(data: bytes, offset: int) -> int:
    """Return the end of the file name or new name that a word reads; 0 if it reads no name."""
    lexed = lex(data)
    after = lexed.tokens[lexed.at.get(offset, 0) + 1 :][:1]
    return after[0].after if after and after[0].kind in (FILE, NAME) else 0


def _reader_offset(data: bytes, offset: int) -> int:
    """Return the offset of the word that reads the token at `offset`, or `offset` if none does."""
    lexed = lex(data)
    index = lexed.at.get(offset, 0)
    token, before = lexed.tokens[index], lexed.tokens[max(index - 1, 0)]
    is_section_item = before.text.startswith(b"{") and before.text.endswith(b"}")
    reads = token.kind in (FILE, NAME) or before.text in QUOTING or is_section_item
    return before.start if reads and token.start == offset else offset


def _note_warnings(loaded: Loaded, first: int) -> None:
    """Record findings for the warnings of the VM, from index `first` on."""
    for warning in loaded.vm.warnings[first:]:
        finding = None
        if "never finished" in warning.text:
            text = _text_of(loaded, warning.location)
            finding = open_at_end(text, loaded.table) if text is not None else None
            finding = finding or Finding("W310", warning.text, warning.location)
        finding = finding or Finding("W305", warning.text, warning.location)
        if finding not in loaded.findings:
            loaded.findings.append(finding)
