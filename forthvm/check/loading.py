"""A script loaded for its definitions only, however much of it fails.

This file owns the repeated loading: names that are unknown get a word without meaning, what
fails otherwise is repaired or blanked out.  It must not know what is checked afterwards.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from forthvm.core.budget import script_budget
from forthvm.core.error_report import suggest
from forthvm.core.errors import BudgetExceeded, ForthVMError, ScriptFileError, UndefinedWord
from forthvm.core.loading.loader import Loader
from forthvm.core.loading.source import line_number
from forthvm.core.output import discard
from forthvm.core.vm import VM

from .finding import Finding
from .text.lexer import FILE, NAME, WORD, lex
from .text.missing import cut_off, missing_blank, missing_ends
from .text.repairs import Repair, apart, blank_out, end_definition, repaired, set_apart
from .text.unknown import advice
from .text.words import QUOTING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from forthvm.core.budget import Budget
    from forthvm.core.loading.source import SourceTable, Text
    from forthvm.core.location import Location

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
        apart: Names that lack a blank, and the words that they are made of.
        blind: What was to define names could not be read.
        emptied: Names of definitions that were emptied to go on.
        cause: Number of the last finding from which others may follow, -1 if there is none.
    """

    def __init__(self, vm: VM) -> None:
        self.vm = vm
        self.unknown: list[str] = []
        self.findings: list[Finding] = []
        self.complete = False
        self.table: SourceTable = vm.sources
        self.stands_in: tuple[int, ...] = ()
        self.built_in = frozenset(vm.words())
        self.apart: dict[str, tuple[str, ...]] = {}
        self.blind = False
        self.emptied: set[str] = set()
        self.cause = -1
        self._repairs: dict[str, list[Repair]] = {}

    @property
    def scripts(self) -> list[Text]:
        """The texts that are not part of the library, in the order of loading."""
        return [text for text in self.table.texts if not text.library and text.name != _STANDS_IN]

    def knows(self, name: str) -> bool:
        """Whether there is a word of that name, or a number."""
        return self.vm.native.find(name) != 0 or _NUMBER.match(name) is not None

    def repair(self, text: Text, repair: Repair | None) -> bool:
        """Record a repair for the next attempt; False if there is none, or it was tried."""
        known = self._repairs.setdefault(text.name, [])
        if repair is None or repair in known:
            return False
        known.append(repair)
        return True

    def repaired(self, text: Text, *, main: bool) -> bytes:
        """A text with the repairs so far."""
        ends = [
            end_definition(text.data, one)
            for one in lex(text.data).unfinished
            if one.after or not main
        ]
        return repaired(text.data, [*ends, *self._repairs.get(text.name, ())])

    def note_cause(self, finding: Finding) -> None:
        """Note a failure from which others may follow; it is met again in later attempts."""
        places = [(known.code, known.location) for known in self.findings]
        if (finding.code, finding.location) not in places:
            self.cause = len(self.findings)
            self.findings.append(finding)

    def follow(self, consequence: str) -> None:
        """Note what fails only as something else has failed before it."""
        cause = self.findings[self.cause]
        follows = dict.fromkeys([*cause.follows, consequence])
        self.findings[self.cause] = cause.replace(follows=tuple(follows))


class _Patched(Loader):
    """A loader that reads files with repairs."""

    def __init__(self, loaded: Loaded) -> None:
        ours = loaded.vm.loader
        super().__init__(loaded.vm.native, ours.include)
        self.table, self.library = ours.table, ours.library
        self.bundled = ours.bundled
        self._loaded = loaded

    def _source_of(self, text: Text, *, main: bool) -> bytes:
        loaded = self._loaded
        data = loaded.repaired(text, main=main)
        for finding in missing_ends(text, self.table, loaded.knows, main=main):
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
    """Load a script for its definitions, going on behind what fails in further attempts.

    Raises:
        ScriptFileError: It cannot be read at all.
        ForthVMError: The library cannot be loaded.
    """
    budget = (limits or script_budget()).replace(steps=steps)
    vm = VM(library=library, axiom=axiom, include=include, output=discard, budget=budget)
    loaded = Loaded(vm)
    start = vm.snapshot()
    texts = len(loaded.table.texts)
    warnings = 0
    deadline = time.monotonic() + (budget.question_seconds or float("inf"))
    for _ in range(attempts):
        vm.restore(start)
        warnings = len(vm.warnings)
        vm.native.clear_stack()
        del loaded.table.texts[texts:]
        for name in loaded.unknown:
            vm.interpret(f": {name} ;", name=_STANDS_IN)
        loaded.stands_in = tuple(vm.token(name) for name in loaded.unknown)
        loader = _Patched(loaded)
        vm.native.host.load = loader.on_load
        try:
            loader.load(path)
        except ForthVMError as error:
            if isinstance(error, ScriptFileError) and error.location is None:
                raise
            if not _go_on(loaded, error) or time.monotonic() > deadline:
                break
        else:
            loaded.complete = not loaded.findings
            break
    _note_emptied(loaded)
    _note_warnings(loaded, warnings)
    return loaded


def _note_emptied(loaded: Loaded) -> None:
    """Mark a definition that was emptied because it has no `;`: its effect is unknown."""
    for text in loaded.scripts:
        for one in lex(text.data).unfinished:
            if one.after or text is not loaded.scripts[0]:
                loaded.complete = False
                loaded.emptied.add(text.decode(one.name.text))
    native = loaded.vm.native
    there = [name for name in sorted(loaded.emptied) if native.find(name)]
    loaded.stands_in += tuple(loaded.vm.token(name) for name in there)


def _go_on(loaded: Loaded, error: ForthVMError) -> bool:
    """Record the error and prepare another attempt; False if none makes sense."""
    place = _place(error, loaded)
    if isinstance(error, UndefinedWord):
        return _go_on_without(loaded, error.detail, place)
    if isinstance(error, BudgetExceeded):
        text = f"loading was stopped here: {error.what()}"
        loaded.findings.append(Finding("W103", text, place, error.word or "", error.hints))
        return False
    without_file = isinstance(error, ScriptFileError)
    if _failed(loaded) and not without_file:
        loaded.follow(_line(loaded, place))
    else:
        finding = Finding("E102", error.what(), place, error.word or "", error.hints)
        loaded.note_cause(finding)
        loaded.blind |= without_file
    place = _interpreted_place(error, loaded) or place
    return place is not None and _blank(loaded, place)


def _go_on_without(loaded: Loaded, name: str, place: Location | None) -> bool:
    """Record an unknown name, and define such a word in the next attempt."""
    if name in loaded.unknown or name in loaded.built_in:  # the memory was damaged by the script
        return False
    if _failed(loaded) and _is_lost(loaded, name, place):
        return False
    if _pass_over_comment(loaded, name, place):
        return True
    if parts := apart(name, loaded.knows, loaded.built_in):
        if _set_apart(loaded, name, parts, place):
            return True
    elif _failed(loaded) and (loaded.blind or _is_defined_before(loaded, name, place)):
        loaded.follow(f"`{name}`")
    else:
        follows = tuple(_later_uses(loaded, name, place))
        advice = tuple(_hints(name, loaded))
        finding = Finding("E101", f"unknown name `{name}`", place, "", advice, follows)
        loaded.findings.append(finding)
    loaded.unknown.append(name)
    return True


def _pass_over_comment(loaded: Loaded, name: str, place: Location | None) -> bool:
    """Note a comment on one line that lacks its first blank, and read on behind it."""
    text = _text_of(loaded, place)
    if len(name) < 2 or name[0] != "(" or text is None or place is None:  # noqa: PLR2004 - "(n"
        return False
    start = _offset(text, place)
    line = text.data[start:].split(b"\n", 1)[0]
    end = line.find(b" )")
    if end < 0 or b"(" in line[1:end]:
        return False
    loaded.findings.append(missing_blank(name, ("(", name[1:]), place))
    return loaded.repair(text, blank_out(text.data, start, start + end + 2))


def _set_apart(loaded: Loaded, name: str, parts: tuple[str, ...], place: Location | None) -> bool:
    """Record a name that lacks a blank, and insert the blank if there is room for it."""
    finding = missing_blank(name, parts, place)
    loaded.apart[name] = parts
    text = _text_of(loaded, place)
    repair = None
    if text is not None and place is not None:
        token, *encoded = (part.encode(text.encoding, "replace") for part in (name, *parts))
        repair = set_apart(text.data, _offset(text, place), token, tuple(encoded))
    if text is None or repair is None:
        loaded.note_cause(finding)
        loaded.blind |= any(mark in name for mark in "{}")
        return False
    if parts[0] == ":":
        loaded.emptied.add(parts[1])
        loaded.note_cause(finding)
    else:
        loaded.findings.append(finding)
    return loaded.repair(text, repair)


def _line(loaded: Loaded, place: Location | None) -> str:
    """Where something follows: the line alone in the file of its cause."""
    cause = loaded.findings[loaded.cause].location
    if place is None or (cause is not None and cause.file == place.file):
        return f"line {place.line}" if place is not None else "what comes behind it"
    return f"{place.file}:{place.line}"


def _later_uses(loaded: Loaded, name: str, place: Location | None) -> Iterator[str]:
    """Lines of the same text that use an unknown name again, up to its definition."""
    text = _text_of(loaded, place)
    if text is None or place is None:
        return
    offset = _offset(text, place)
    for token in lex(text.data).tokens:
        if token.start <= offset or text.decode(token.text) != name:
            continue
        if token.kind == NAME:
            break
        if token.kind == WORD:
            yield f"line {line_number(text.data, token.start)}"


def _failed(loaded: Loaded) -> bool:
    return loaded.cause >= 0


def _is_lost(loaded: Loaded, name: str, place: Location | None) -> bool:
    """Whether a token is not a name to look up: the interpreter has lost its place.

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


def _blank(loaded: Loaded, place: Location) -> bool:
    """Blank a failing token out for the next attempt, a section that fails at once as a whole."""
    text = _text_of(loaded, place)
    if text is None:
        return False
    offset = _offset(text, place)
    length = len(place.text[place.column - 1 :][: place.length].encode(text.encoding, "replace"))
    if not text.data[offset : offset + length].strip():
        return False
    start = _reader(text.data, offset)
    end = max(_section_end(text.data, offset, offset + length), _argument_end(text.data, offset))
    return loaded.repair(text, blank_out(text.data, start, end))


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


def _argument_end(data: bytes, offset: int) -> int:
    """Where the file or the new name ends that the word at an offset reads; 0 if there is none."""
    lexed = lex(data)
    after = lexed.tokens[lexed.at.get(offset, 0) + 1 :][:1]
    return after[0].after if after and after[0].kind in (FILE, NAME) else 0


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
        finding = None
        if "never finished" in warning.text:
            text = _text_of(loaded, warning.location)
            finding = cut_off(text, loaded.table) if text is not None else None
            finding = finding or Finding("W310", warning.text, warning.location)
        finding = finding or Finding("W305", warning.text, warning.location)
        if finding not in loaded.findings:
            loaded.findings.append(finding)
