"""A script of which as much as possible was loaded, and the findings about loading it.

This file owns the record of repairs and findings.

A *cause* is an error that may lead to further errors, which are its consequences.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from .finding import Finding
from .text.faults import find_faults
from .text.lexer import NAME, WORD, lex
from .text.missing import missing_ends
from .text.repairs import end_definition, repaired
from .text.words import DEFINERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.loading.source import SourceTable, Text
    from forthvm.core.location import Location
    from forthvm.core.vm import VM

    from .text.fault import Fault
    from .text.lexer import Lexed
    from .text.repairs import Repair
    from .text.unfinished import Unfinished

__all__ = ["MANY_UNKNOWN", "NUMBER", "PLACEHOLDERS", "LoadedScript"]

#: The name of the text that defines the placeholders.
PLACEHOLDERS = "<placeholders>"
#: The number of unknown names in a line from which on the line is probably a comment.
MANY_UNKNOWN = 3
NUMBER = re.compile(r"[+-]?\d+$")


def _defined_in_unfinished(data: bytes) -> Iterator[bytes]:
    """Yield the names after defining words in definitions without `;`."""
    lexed = lex(data)
    for definition in lexed.unfinished:
        for token, after in pairwise(lexed.tokens):
            is_inside = definition.name.end <= token.start < definition.end
            if is_inside and token.text in DEFINERS and after.kind == WORD:
                yield after.text


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
        failed: Whether an attempt failed.
        squares_index: The index of the finding about a damaged board; None if there is none.
        parts_left_out: The indices of the findings about damaged parts that were left out.
        parts_without_name: The indices of the findings about definitions without a name, for each
            of which one unknown name is expected.
        part_names: For each word of a damaged part, the index of the finding about the part.
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

        self.failed = False
        self.parts_left_out: list[int] = []
        self.parts_without_name: list[int] = []
        self.part_names: dict[str, int] = {}
        self.squares_index: int | None = None
        self._data: dict[str, bytes] = {}

    @property
    def script_texts(self) -> list[Text]:
        """The texts of the script, in the order in which their loading began."""
        texts = self.table.texts
        return [text for text in texts if not text.library and text.name != PLACEHOLDERS]

    def is_known(self, name: str) -> bool:
        """Whether a name is the name of a word, or a number."""
        return self.vm.native.find(name) != 0 or NUMBER.match(name) is not None

    def record_repair(self, text: Text, repair: Repair | None) -> bool:
        """Record a repair for the next attempt; return False if there is no new repair."""
        recorded = self._repairs.setdefault(text.name, [])
        if repair is None or repair in recorded:
            return False
        recorded.append(repair)
        return True

    def repaired_bytes(self, text: Text, *, main: bool) -> bytes:
        """Return the bytes of a text with all repairs so far; note the damaged parts."""
        data = text.data
        for fault in find_faults(data, failed=self.failed):
            self._note_fault(text, fault)
            data = repaired(data, [fault.repair])
        ends = [
            end_definition(data, definition)
            for definition in lex(data).unfinished
            if self.is_emptied(text, definition, main=main)
        ]
        self._data[text.name] = data
        for finding in missing_ends(text, data, self.table, self.is_known, main=main):
            if not self.is_recorded(finding):
                for name in _defined_in_unfinished(data):
                    self.part_names.setdefault(text.decode(name), len(self.findings))
            self.note_cause(finding)
        return repaired(data, [*ends, *self._repairs.get(text.name, ())])

    def is_emptied(self, text: Text, definition: Unfinished, *, main: bool) -> bool:
        """Whether a repair removes the body of a definition without `;`.

        A definition that is open at the end of the main file is kept, unless its last word is an
        unknown name that is glued to `;`.
        """
        word = text.decode(definition.last.text)
        names = {word, word.removesuffix(";")}
        defined = {text.decode(t.text) for t in lex(text.data).tokens if t.kind == NAME}
        is_glued = len(names) > 1 and not names & defined and not any(map(self.is_known, names))
        return bool(definition.next_words) or not main or is_glued

    def tokens_of(self, text: Text) -> Lexed:
        """Return the tokens of a text without its damaged parts."""
        return lex(self.data_of(text))

    def data_of(self, text: Text) -> bytes:
        """Return the bytes of a text without its damaged parts."""
        return self._data.get(text.name, text.data)

    def words_of(self, text: Text) -> Iterator[str]:
        """Yield the words of a text without its damaged parts."""
        for token in self.tokens_of(text).tokens:
            if token.kind == WORD:
                yield text.decode(token.text)

    def has_faults(self) -> bool:
        """Whether a text of the script is damaged, so that another attempt finds its faults."""
        return any(find_faults(text.data, failed=True) for text in self.script_texts)

    def leave_out(self, text: Text, fault: Fault) -> bool:
        """Record a fault that an attempt has found; return False if it is not new."""
        is_new = self.record_repair(text, fault.repair)
        if is_new:
            self._note_fault(text, fault)
        return is_new

    def _note_fault(self, text: Text, fault: Fault) -> None:
        """Record a damaged part of a text, unless an earlier attempt recorded it."""
        location = self.table.locate(text.base + fault.start)
        finding = Finding(fault.code, fault.message, location, hints=(fault.hint,))
        if self.is_recorded(finding):
            return
        index = len(self.findings)
        self.findings.append(finding)
        if fault.repair.data:
            self.parts_left_out.append(index)
        for name in fault.names:
            self.part_names.setdefault(text.decode(name), index)
        if fault.lacks_file:
            self.names_may_be_missing, self.cause_index = True, index
        if fault.lacks_name:
            self.parts_without_name.append(index)
        if fault.emptied:
            self.emptied_definitions.add(text.decode(fault.emptied))
        if fault.makes_squares:
            self.squares_index = index

    def forget_faults(self) -> None:
        """Forget the findings of an attempt that looked for the certain faults only."""
        self.findings.clear()
        self.parts_left_out.clear()
        self.parts_without_name.clear()
        self.part_names.clear()
        self.squares_index, self.cause_index = None, -1

    def note_cause(self, finding: Finding) -> None:
        """Record a cause, unless an earlier attempt recorded it."""
        if not self.is_recorded(finding):
            self.cause_index = len(self.findings)
            self.findings.append(finding)

    def add_consequence(self, consequence: str, index: int | None = None) -> None:
        """Record a consequence of a finding, or of the last cause."""
        index = self.cause_index if index is None else index
        cause = self.findings[index]
        consequences = dict.fromkeys([*cause.consequences, consequence])
        self.findings[index] = replace(cause, consequences=tuple(consequences))

    def unknown_in_line(self, location: Location) -> list[Finding]:
        """Return the findings about unknown names in the line of a location."""
        return [
            finding
            for finding in self.findings
            if finding.code == "E101"
            and finding.location is not None
            and (finding.location.file, finding.location.line) == (location.file, location.line)
        ]

    def merge_unknown_in_lines(self) -> None:
        """Merge the findings about unknown names in lines that are probably comments."""
        for finding in list(self.findings):
            if finding not in self.findings or finding.location is None:
                continue
            first, *others = self.unknown_in_line(finding.location) or [finding]
            if len(others) + 1 >= MANY_UNKNOWN:
                names = [other.message.removeprefix("unknown name ") for other in others]
                later = [use for other in (first, *others) for use in other.consequences]
                merged = replace(
                    first,
                    message=f"{first.message}, and {len(others)} more in this line",
                    hints=("if the line is a comment, write `\\` and a blank before it",),
                    consequences=tuple(dict.fromkeys([*names, *later])),
                )
                self.findings[self.findings.index(first)] = merged
                self.findings = [other for other in self.findings if other not in others]

    def is_recorded(self, finding: Finding) -> bool:
        """Whether a finding with the same code and location is recorded."""
        known = [(other.code, other.location) for other in self.findings]
        return (finding.code, finding.location) in known
