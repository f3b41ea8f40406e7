"""Loads a script for analysis, and continues after errors.

This file owns the repeated attempts to load a script: after each error, the script is loaded again
with the unknown name defined as an empty word (a placeholder), or with the failing text repaired or
replaced by blanks.  It must not know the rules that check the loaded script.

A *cause* is an error that may lead to further errors, which are its consequences.
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

__all__ = ["LoadedScript", "load"]

#: The limit of steps of one attempt, far more than a script needs that computes tables.
STEPS = 50_000_000
#: The name of the text that defines the placeholders.
_PLACEHOLDERS = "<placeholders>"
#: The maximum number of attempts to load a script.
ATTEMPTS = 60
_NUMBER = re.compile(r"[+-]?\d+$")


class LoadedScript:
    """A VM with the parts of a script that could be loaded.

    Attributes:
        vm: The VM.
        table: The loaded texts, by source position.
        unknown_names: Unknown names, for which placeholders were defined.
        findings: The findings about errors and warnings of loading.
        complete: Whether the script was loaded to its end without errors.
        placeholder_xts: Xts of the placeholders, and of definitions that a repair emptied.
        built_in_names: Names that were defined before the script was loaded.
        glued_names: For each unknown name in which a blank is missing, the words that it contains.
        names_may_be_missing: Whether a file or section that may define names could not be read.
        emptied_definitions: Names of definitions whose bodies a repair removed.
        cause_index: Index in `findings` of the last cause; -1 if there is none.
    """

    def __init__(self, vm: VM) -> None:
        self.vm = vm
        self.unknown_names: list[str] = []
        self.findings: list[Finding] = []
        self.complete = False
        self.table: SourceTable = vm.sources
        self.placeholder_xts: tuple[int, ...] = ()
        self.built_in_names = frozenset(vm.words())
        self.glued_names: dict[str, tuple[str, ...]] = {}
        self.names_may_be_missing = False
        self.emptied_definitions: set[str] = set()
        self.cause_index = -1
        self._repairs: dict[str, list[Repair]] = {}

    @property
    def script_texts(self) -> list[Text]:
        """The texts of the script, in the order in which their loading began."""
        texts = self.table.texts
        return [text for text in texts if not text.library and text.name != _PLACEHOLDERS]

    def is_known(self, name: str) -> bool:
        """Whether a name is the name of a word, or a number."""
        return self.vm.native.find(name) != 0 or _NUMBER.match(name) is not None

    def record_repair(self, text: Text, repair: Repair | None) -> bool:
        """Record a repair for the next attempt; return False if there is no new repair."""
        recorded = self._repairs.setdefault(text.name, [])
        if repair is None or repair in recorded:
            return False
        recorded.append(repair)
        return True

    def repaired_bytes(self, text: Text, *, main: bool) -> bytes:
        """Return the bytes of a text with all repairs so far.

        A definition that is open at the end of the main file is not repaired: the VM warns of it.
        """
        ends = [
            end_definition(text.data, definition)
            for definition in lex(text.data).unfinished
            if definition.next_words or not main
        ]
        return repaired(text.data, [*ends, *self._repairs.get(text.name, ())])

    def note_cause(self, finding: Finding) -> None:
        """Record a cause, unless an earlier attempt recorded it."""
        known = [(other.code, other.location) for other in self.findings]
        if (finding.code, finding.location) not in known:
            self.cause_index = len(self.findings)
            self.findings.append(finding)

    def add_consequence(self, consequence: str, index: int | None = None) -> None:
        """Record a consequence of a finding, or of the last cause."""
        index = self.cause_index if index is None else index
        cause = self.findings[index]
        consequences = dict.fromkeys([*cause.consequences, consequence])
        self.findings[index] = cause.replace(consequences=tuple(consequences))


class _RepairingLoader(Loader):
    """A loader that applies the recorded repairs to the texts that it loads."""

    def __init__(self, loaded: LoadedScript) -> None:
        original = loaded.vm.loader
        super().__init__(loaded.vm.native, original.include)
        self.table, self.library_folder = original.table, original.library_folder
        self.bundled = original.bundled
        self._loaded = loaded

    def _source_of(self, text: Text, *, main: bool) -> bytes:
        loaded = self._loaded
        data = loaded.repaired_bytes(text, main=main)
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
) -> LoadedScript:
    """Load a script for analysis; after an error, repair the script and load it again.

    Args:
        path: The main script.
        library: As for `VM`.
        include: As for `VM`.
        axiom: As for `VM`.
        steps: Limit of steps for each attempt.
        attempts: Limit of attempts.
        limits: Time and memory of each attempt; None for the limits of `script_budget`.

    Raises:
        ScriptFileError: The main script cannot be read.
        ForthVMError: The library cannot be loaded.
    """
    budget = (limits or script_budget()).replace(steps=steps)
    vm = VM(library=library, axiom=axiom, include=include, output=discard, budget=budget)
    loaded = LoadedScript(vm)
    start = vm.snapshot()
    library_text_count = len(loaded.table.texts)
    earlier_warning_count = 0
    deadline = time.monotonic() + (budget.call_seconds or float("inf"))
    for _ in range(attempts):
        vm.restore(start)
        earlier_warning_count = len(vm.warnings)
        vm.native.clear_stack()
        del loaded.table.texts[library_text_count:]
        for name in loaded.unknown_names:
            vm.interpret(f": {name} ;", name=_PLACEHOLDERS)
        loaded.placeholder_xts = tuple(vm.token(name) for name in loaded.unknown_names)
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


def _note_emptied(loaded: LoadedScript) -> None:
    """Treat definitions that a repair emptied as placeholders: their effects are unknown."""
    for text in loaded.script_texts:
        for definition in lex(text.data).unfinished:
            if definition.next_words or text is not loaded.script_texts[0]:
                loaded.complete = False
                loaded.emptied_definitions.add(text.decode(definition.name.text))
    native = loaded.vm.native
    defined = [name for name in sorted(loaded.emptied_definitions) if native.find(name)]
    loaded.placeholder_xts += tuple(loaded.vm.token(name) for name in defined)


def _prepare_retry(loaded: LoadedScript, error: ForthVMError) -> bool:
    """Record an error and prepare another attempt; return False if no attempt can succeed."""
    location = _script_location(error, loaded)
    if isinstance(error, UndefinedWord):
        return _prepare_unknown(loaded, error.detail, location)
    if isinstance(error, BudgetExceeded):
        text = f"loading was stopped here: {error.short_message()}"
        loaded.findings.append(Finding("W103", text, location, error.word or "", error.hints))
        return False
    file_unreadable = isinstance(error, ScriptFileError)
    unknown = _unknown_name_before(loaded, location)
    if unknown is not None and not file_unreadable:
        cause = loaded.findings[unknown].location
        if cause is None or location is None or cause.line != location.line:
            loaded.add_consequence(_describe_line(loaded, location, unknown), unknown)
    elif _has_cause(loaded) and not file_unreadable:
        loaded.add_consequence(_describe_line(loaded, location, loaded.cause_index))
    else:
        finding = Finding("E102", error.short_message(), location, error.word or "", error.hints)
        loaded.note_cause(finding)
        loaded.names_may_be_missing |= file_unreadable
    location = _interpreted_location(error, loaded) or location
    return location is not None and _blank_out_failure(loaded, location)


def _prepare_unknown(loaded: LoadedScript, name: str, location: Location | None) -> bool:
    """Record an unknown name, and prepare an attempt in which the name is defined or repaired."""
    if name in loaded.unknown_names or name in loaded.built_in_names:
        return False  # the script has damaged the memory
    if _has_cause(loaded) and _is_out_of_sync(loaded, name, location):
        return False
    if _blank_out_comment(loaded, name, location):
        return True
    if parts := split_glued_name(name, loaded.is_known, loaded.built_in_names):
        if _insert_blank(loaded, name, parts, location):
            return True
    elif _has_cause(loaded) and (
        loaded.names_may_be_missing
        or _is_before_cause(loaded, location)
        or _is_defined_before(loaded, name, location)
    ):
        loaded.add_consequence(f"`{name}`")
    else:
        later_uses = tuple(_later_uses(loaded, name, location))
        advice = tuple(_hints(name, loaded))
        finding = Finding("E101", f"unknown name `{name}`", location, "", advice, later_uses)
        loaded.findings.append(finding)
    loaded.unknown_names.append(name)
    return True


def _blank_out_comment(loaded: LoadedScript, name: str, location: Location | None) -> bool:
    """Record a comment such as `(n -- n )`, which lacks a blank; replace it by blanks."""
    text = _text_of(loaded, location)
    if len(name) < 2 or name[0] != "(" or text is None or location is None:  # noqa: PLR2004 - "(n"
        return False
    start = _offset(text, location)
    line = text.data[start:].split(b"\n", 1)[0]
    end = line.find(b" )")
    if end < 0 or b"(" in line[1:end]:
        return False
    loaded.findings.append(missing_blank(name, ("(", name[1:]), location))
    return loaded.record_repair(text, blank_out(text.data, start, start + end + 2))


def _insert_blank(
    loaded: LoadedScript, name: str, parts: tuple[str, ...], location: Location | None
) -> bool:
    """Record a name that lacks a blank; insert the blank if no other text has to move."""
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
        loaded.emptied_definitions.add(parts[1])
        loaded.note_cause(finding)
    else:
        loaded.findings.append(finding)
    return loaded.record_repair(text, repair)


def _unknown_name_before(loaded: LoadedScript, location: Location | None) -> int | None:
    """Return the index of the finding of an unknown name that probably led to an error.

    It is the last one that the line of the error runs, directly or in definitions: without the
    effect of the name, the stack is wrong there.
    """
    text = _text_of(loaded, location)
    if text is None or location is None:
        return None
    offset = _offset(text, location)
    line_start = text.data.rfind(b"\n", 0, offset) + 1
    needed = _names_that_need_unknown_ones(loaded)
    for token in reversed(lex(text.data).tokens):
        name = text.decode(token.text)
        if line_start <= token.start <= offset and not token.in_definition and name in needed:
            message = f"unknown name `{needed[name]}`"
            return next((n for n, f in enumerate(loaded.findings) if f.message == message), None)
    return None


def _names_that_need_unknown_ones(loaded: LoadedScript) -> dict[str, str]:
    """Map the unknown names, and definitions that call them, to an unknown name."""
    needed = {name: name for name in loaded.unknown_names}
    for text in loaded.script_texts if needed else ():
        defined = ""
        for token in lex(text.data).tokens:
            name = text.decode(token.text)
            if token.kind == NAME:
                defined = name
            elif token.kind == WORD and token.in_definition and name in needed:
                needed.setdefault(defined, needed[name])
    return needed


def _describe_line(loaded: LoadedScript, location: Location | None, cause_index: int) -> str:
    """Describe the line of a consequence; add the file if the cause is in another file."""
    cause = loaded.findings[cause_index].location
    if location is None or (cause is not None and cause.file == location.file):
        return f"line {location.line}" if location is not None else "the text after it"
    return f"{location.file}:{location.line}"


def _later_uses(loaded: LoadedScript, name: str, location: Location | None) -> Iterator[str]:
    """Yield the lines after `location` that use an unknown name, up to its definition."""
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


def _has_cause(loaded: LoadedScript) -> bool:
    """Whether a cause was found."""
    return loaded.cause_index >= 0


def _is_before_cause(loaded: LoadedScript, location: Location | None) -> bool:
    """Whether an earlier attempt got past a location: the name was known before a repair."""
    cause = loaded.findings[loaded.cause_index].location
    if cause is None or location is None or cause.file != location.file:
        return False
    return (location.line, location.column) < (cause.line, cause.column)


def _is_out_of_sync(loaded: LoadedScript, name: str, location: Location | None) -> bool:
    """Whether the name that the interpreter reports as unknown is no word of the text.

    An error in a section leaves the search order of the section, in which `:` and `(` are unknown.
    Then the interpreter reads comments and numbers as names.
    """
    text = _text_of(loaded, location)
    if text is None or location is None:
        return False
    lexed = lex(text.data)
    index = lexed.index_by_offset.get(_offset(text, location))
    return index is None or lexed.tokens[index].kind != WORD or _NUMBER.match(name) is not None


def _is_defined_before(loaded: LoadedScript, name: str, location: Location | None) -> bool:
    """Whether the original texts define a name, so that a repair has removed the definition."""
    own_text = _text_of(loaded, location)
    for text in loaded.script_texts:
        before = len(text.data)
        if text is own_text and location is not None:
            before = _offset(text, location)
        for token in lex(text.data).tokens:
            if token.kind == NAME and token.start < before and text.decode(token.text) == name:
                return True
    return False


def _interpreted_location(error: ForthVMError, loaded: LoadedScript) -> Location | None:
    """Return the location of the interpreted token that led to an error."""
    for frame in error.trace:
        if frame.word is None and _text_of(loaded, frame.location) is not None:
            return frame.location
    return None


def _hints(name: str, loaded: LoadedScript) -> list[str]:
    similar = suggest(name, loaded.vm.native.words())
    return [hint for hint in (advice(name), similar) if hint]


def _script_location(error: ForthVMError, loaded: LoadedScript) -> Location | None:
    """Return the innermost location of an error that is in the script, not in the library."""
    for location in (error.location, *(frame.location for frame in error.trace)):
        if location is not None and any(text.name == location.file for text in loaded.script_texts):
            return location
    return error.location


def _text_of(loaded: LoadedScript, location: Location | None) -> Text | None:
    file = location.file if location is not None else None
    return next((text for text in loaded.script_texts if text.name == file), None)


def _offset(text: Text, location: Location) -> int:
    """Return the offset of a location in its text, in bytes."""
    lines = text.data.split(b"\n")
    before = sum(len(line) + 1 for line in lines[: location.line - 1])
    return before + len(location.text[: location.column - 1].encode(text.encoding, "replace"))


def _blank_out_failure(loaded: LoadedScript, location: Location) -> bool:
    """Replace a failing token, or the section that it opens, by blanks.

    Returns:
        False if no new repair is possible.
    """
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
    return loaded.record_repair(text, blank_out(text.data, start, end))


def _section_end(data: bytes, start: int, end: int) -> int:
    """Return the end of the section that a token opens; `end` if the token opens no section.

    The other words of a section need data that its first word creates.
    """
    opener = data[start:end]
    if not opener.startswith(b"{") or opener.endswith(b"}"):
        return end
    for token in lex(data).tokens:
        if token.start > start and token.kind == WORD:
            if token.text == opener[1:] + b"}":
                return token.end
            if token.text.startswith(b"{") and not token.text.endswith(b"}"):
                break
    return end


def _argument_end(data: bytes, offset: int) -> int:
    """Return the end of the file name or new name that a word reads; 0 if it reads no name."""
    lexed = lex(data)
    after = lexed.tokens[lexed.index_by_offset.get(offset, 0) + 1 :][:1]
    return after[0].end if after and after[0].kind in (FILE, NAME) else 0


def _reader_offset(data: bytes, offset: int) -> int:
    """Return the offset of the word that reads the token at `offset`; else `offset`."""
    lexed = lex(data)
    index = lexed.index_by_offset.get(offset, 0)
    token, before = lexed.tokens[index], lexed.tokens[max(index - 1, 0)]
    is_section_item = before.text.startswith(b"{") and before.text.endswith(b"}")
    reads = token.kind in (FILE, NAME) or before.text in QUOTING or is_section_item
    return before.start if reads and token.start == offset else offset


def _note_warnings(loaded: LoadedScript, first: int) -> None:
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
