"""A script of which as much as possible was loaded, the repairs, and the findings about loading."""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .finding import Finding
from .text.lexer import WORD, lex
from .text.repair import Repair, RepairedText

if TYPE_CHECKING:
    from forthvm.core.loading.source import SourceTable, Text
    from forthvm.core.location import Location
    from forthvm.core.vm import VM

__all__ = ["NUMBER", "PLACEHOLDERS", "Guess", "LoadedScript"]

PLACEHOLDERS = "<placeholders>"
"""The name of the text that defines the placeholders."""
NUMBER = re.compile(r"[+-]?\d+$")


@dataclass(frozen=True, slots=True)
class Guess:
    """A guess at the cause of an error, with what lets the next attempt get past the error.

    Attributes:
        finding: The finding; None for the consequence of an earlier one.
        text: The text that the repair edits.
        repair: The repair; None if only placeholders are defined.
        placeholders: The unknown names to define.
        cause: The index of the finding whose consequence the error is.
        consequences: The texts about the consequences.
    """

    finding: Finding | None = None
    text: RepairedText | None = None
    repair: Repair | None = None
    placeholders: tuple[str, ...] = ()
    cause: int = -1
    consequences: tuple[str, ...] = ()


class LoadedScript:
    """A VM with the parts of a script that could be loaded.

    Attributes:
        vm: The VM.
        table: The loaded texts, by source position.
        built_in_names: Names that were defined before the script was loaded.
        unknown_names: The unknown names for which placeholders were defined.
        repairs: The repairs of each text, by its name, in the order in which they are made.
        findings: The findings about errors and warnings of loading.
        complete: Whether the script was loaded to its end without errors.
        placeholder_xts: Xts of the placeholders, and of definitions whose effect a repair changed.
        opaque: The names of these definitions.
        hidden_names: For each name that damaged text may define, the index of its finding.
        hiding: The index of the last finding about text that may define any name; -1 if none may.
        names_may_be_missing: Whether there is such text.
    """

    def __init__(self, vm: VM) -> None:
        self.vm = vm
        self.table: SourceTable = vm.sources
        self.built_in_names = frozenset(vm.words())
        self.unknown_names: dict[str, None] = {}
        self.repairs: dict[str, tuple[Repair, ...]] = {}
        self.findings: list[Finding] = []
        self.complete = False
        self.placeholder_xts: tuple[int, ...] = ()
        self.opaque: set[str] = set()
        self.hidden_names: dict[str, int] = {}
        self.hiding = -1
        self.names_may_be_missing = False

    def copy(self) -> LoadedScript:
        """Return a copy for another attempt in the same VM."""
        other = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list | dict | set):
                setattr(other, name, value.copy())
        return other

    # --- texts -----------------------------------------------------------------------

    @property
    def script_texts(self) -> list[RepairedText]:
        """The texts of the script, in the order in which their loading began."""
        return [text for text in self.table.texts if isinstance(text, RepairedText)]

    def text_of(self, location: Location | None) -> RepairedText | None:
        """Return the text of the script that contains a location."""
        file = location.file if location is not None else None
        return next((text for text in self.script_texts if text.name == file), None)

    def is_known(self, name: str) -> bool:
        """Whether a name is the name of a word, or a number."""
        return self.vm.native.find(name) != 0 or NUMBER.match(name) is not None

    def words(self) -> set[str]:
        """Return the words of all texts."""
        return {
            text.decode(token.text)
            for text in self.script_texts
            for token in lex(text.data).tokens
            if token.kind == WORD
        }

    def repaired(self, text: Text) -> RepairedText:
        """Return a text with its repairs."""
        repaired = RepairedText.of(text)
        for repair in self.repairs.get(text.name, ()):
            repaired = repaired.with_repair(repair)
        return repaired

    # --- findings --------------------------------------------------------------------

    def accept(self, guess: Guess) -> None:
        """Record the finding or consequence of a guess, its repair and its placeholders."""
        if guess.finding is None:
            for consequence in guess.consequences:
                self.add_consequence(consequence, guess.cause)
        else:
            self.add(guess.finding)
        index = guess.cause if guess.finding is None else len(self.findings) - 1
        self.unknown_names |= dict.fromkeys(guess.placeholders)
        text, repair = guess.text, guess.repair
        if repair is None or text is None:
            return
        self.repairs[text.name] = (*self.repairs.get(text.name, ()), repair)
        left_out = text.data[repair.start : repair.end].replace(b"{moves", b" ").split()
        for name in {*left_out} - {*repair.new.split()}:
            self.hidden_names.setdefault(text.decode(name), index)
        if repair.hides_names:
            self.hiding, self.names_may_be_missing = index, True
        if repair.opaque:
            self.opaque.add(text.decode(repair.opaque))

    def add(self, finding: Finding) -> None:
        """Record a finding, unless one with the same code and location is recorded."""
        known = [(other.code, other.location) for other in self.findings]
        if (finding.code, finding.location) not in known:
            self.findings.append(finding)

    def add_consequence(self, consequence: str, index: int) -> None:
        """Record a consequence of a finding."""
        cause = self.findings[index]
        consequences = dict.fromkeys([*cause.consequences, consequence])
        self.findings[index] = replace(cause, consequences=tuple(consequences))
