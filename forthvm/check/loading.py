"""Loads a script for analysis, up to the first error other than an unknown name in a definition."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from forthvm.core.budget import script_budget
from forthvm.core.errors import (
    BudgetExceeded,
    EndOfSource,
    ForthVMError,
    ScriptFileError,
    SectionError,
    UndefinedWord,
)
from forthvm.core.output import discard
from forthvm.core.vm import VM

from .finding import Finding
from .loaded_script import PLACEHOLDERS, LoadedScript
from .text.lexer import WORD, lex
from .text.structure import first_damage
from .unknown_names import UnknownName

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from forthvm.core.budget import Budget
    from forthvm.core.loading.source import Text
    from forthvm.core.location import Location

    from .text.structure import Damage

__all__ = ["LoadedScript", "load"]

#: The limit of steps of one attempt, far more than a script needs that computes tables.
STEPS = 50_000_000
_MAX_UNKNOWN = 60
"""The maximum number of unknown names of a script; each needs another attempt."""


def load(  # noqa: PLR0913 - keyword-only options, each of them documented
    path: Path,
    *,
    library: str | Path | None = "axiom",
    include: Sequence[str | Path] = (),
    axiom: int | str | None = None,
    steps: int = STEPS,
    limits: Budget | None = None,
) -> LoadedScript:
    """Load a script for analysis; after an unknown name in a definition, load it again.

    Then a placeholder is defined for the name, so that all such names are found.  Loading stops at
    any other error, since what follows depends on it.

    Args:
        path: The main script.
        library: As for `VM`.
        include: As for `VM`.
        axiom: As for `VM`.
        steps: Limit of steps for each attempt.
        limits: Time and memory of each attempt; None for the limits of `script_budget`.

    Raises:
        ScriptFileError: The main script cannot be read.
        ForthVMError: The library cannot be loaded.
    """
    budget = (limits or script_budget()).replace(steps=steps)
    vm = VM(library=library, axiom=axiom, include=include, output=discard, budget=budget, clock=0)
    loaded, start = LoadedScript(vm), vm.snapshot()
    deadline = time.monotonic() + (budget.call_seconds or float("inf"))
    while True:
        first_warning = len(vm.warnings)
        error = _attempt(loaded, path)
        if error is None or not _Error(loaded, error).note() or time.monotonic() > deadline:
            break
        vm.restore(start)
    loaded.complete = error is None and not loaded.findings
    _note_warnings(loaded, first_warning)
    return loaded


def _attempt(loaded: LoadedScript, path: Path) -> ForthVMError | None:
    """Define the placeholders, and load a script; return the error."""
    vm = loaded.vm
    vm.native.clear_stack()
    del vm.sources.texts[loaded.library_texts :]
    vm.interpret(" ".join(f": {name} ;" for name in loaded.unknown_names), name=PLACEHOLDERS)
    loaded.placeholder_xts = tuple(map(vm.token, loaded.unknown_names))
    try:
        vm.loader.load(path)
    except ForthVMError as error:
        if isinstance(error, ScriptFileError) and error.location is None:
            raise
        return error
    return None


class _Error:
    """An error of loading: its location in the script, and that of the interpreted token."""

    def __init__(self, loaded: LoadedScript, error: ForthVMError) -> None:
        self._loaded = loaded
        self._error = error
        places = (error.location, *(frame.location for frame in error.trace))
        self._location = next((place for place in places if loaded.text_of(place)), error.location)
        interpreted = (frame.location for frame in error.trace if frame.word is None)
        self._interpreted = next(filter(loaded.text_of, interpreted), self._location)

    def note(self) -> bool:
        """Record the finding about the error; return whether to load the script again."""
        loaded, unknown = self._loaded, self._unknown_name()
        damaged = (unknown and unknown.wrong_blank()) or self._damage()
        if damaged is not None:
            loaded.findings.append(damaged)
        elif unknown is not None:
            loaded.findings.append(unknown.finding())
        elif not loaded.findings or isinstance(self._error, ScriptFileError):
            loaded.findings.append(self._other())  # else probably the effect of an unknown name
        if unknown and unknown.is_independent and not damaged:
            loaded.unknown_names[self._error.detail] = None
            if len(loaded.unknown_names) < _MAX_UNKNOWN:
                return True
        loaded.stop = damaged.location if damaged else self._interpreted
        return False

    def _unknown_name(self) -> UnknownName | None:
        """Return the unknown name; None if the error is another one."""
        loaded, error, location = self._loaded, self._error, self._location
        text = loaded.text_of(location)
        if not isinstance(error, UndefinedWord) or text is None or location is None:
            return None
        index = lex(text.data).index_by_offset.get(_offset(text, location), -1)
        is_word = index >= 0 and lex(text.data).tokens[index].kind == WORD
        if not is_word or error.detail in loaded.built_in_names | loaded.unknown_names.keys():
            return None  # the script has damaged the memory
        return UnknownName(loaded, text, index, location)

    def _damage(self) -> Finding | None:
        """Return the finding about the first damaged place before the error.

        It is in the text of the error, or in a text whose LOAD led to it.
        """
        text, location = self._loaded.text_of(self._interpreted), self._interpreted
        if text is None or location is None or isinstance(self._error, BudgetExceeded):
            return None
        at_end = isinstance(self._error, SectionError) and "never closed" in str(self._error)
        offset = len(text.data) if at_end else _offset(text, location)
        damage = first_damage(text.data, offset)
        while damage is None and text.load_position:
            position = text.load_position
            text = self._loaded.table.text_at(position) or text
            damage = first_damage(text.data, position - text.base)
        return _finding_of(text, damage) if damage is not None else None

    def _other(self) -> Finding:
        """Return the finding about an error without a known reason.

        It names the word of the script, not of the library: `{piece}` calls `<BUILDS`, which reads
        the name.
        """
        error, location = self._error, self._location
        message = error.short_message()
        if isinstance(error, BudgetExceeded):
            message = f"loading was stopped here: {message}"
            return Finding("W103", message, location, error.word or "", tuple(error.hints))
        inner = error.detail if isinstance(error, EndOfSource) else error.word
        if inner and location is not None and inner not in self._loaded.words():
            word = location.text[location.column - 1 :][: location.length]
            message = message.replace(f"`{inner}`", f"`{word}`")
        return Finding("E102", message, location, error.word or "", tuple(error.hints))


def _offset(text: Text, location: Location) -> int:
    """Return the offset of a location in its text."""
    lines = text.data.split(b"\n")[: location.line - 1]
    column = location.text[: location.column - 1].encode(text.encoding, "replace")
    return sum(len(line) + 1 for line in lines) + len(column)


def _finding_of(text: Text, damage: Damage) -> Finding:
    """Return the finding that a place of a text is damaged."""
    location, word = text.locate(damage.at), text.decode(damage.word)
    return Finding(damage.code, damage.message, location, word, (damage.hint,))


def _note_warnings(loaded: LoadedScript, first: int) -> None:
    """Record findings for the warnings of the VM, from index `first` on."""
    for warning in loaded.vm.warnings[first:]:
        finding = Finding("W305", warning.text, warning.location)
        text = loaded.text_of(warning.location)
        if "never finished" in warning.text:
            damage = first_damage(text.data, len(text.data)) if text is not None else None
            if text is not None and damage is not None and damage.code == "E312":
                finding = _finding_of(text, damage)
            finding = replace(finding, code="W310")
        if finding not in loaded.findings:
            loaded.findings.append(finding)
