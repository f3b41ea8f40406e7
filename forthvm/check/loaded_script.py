"""A script of which as much as possible was loaded, and the findings about loading."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .text.lexer import WORD, lex

if TYPE_CHECKING:
    from forthvm.core.loading.source import SourceTable, Text
    from forthvm.core.location import Location
    from forthvm.core.vm import VM

    from .finding import Finding

__all__ = ["PLACEHOLDERS", "LoadedScript"]

PLACEHOLDERS = "<placeholders>"
"""The name of the text that defines the placeholders."""
_NUMBER = re.compile(r"[+-]?\d+$")


class LoadedScript:
    """A VM with the parts of a script that could be loaded.

    Attributes:
        vm: The VM.
        table: The loaded texts, by source position.
        built_in_names: Names that were defined before the script was loaded.
        library_texts: The number of texts that were loaded before the script.
        unknown_names: The unknown names for which placeholders were defined.
        placeholder_xts: Xts of the placeholders.
        findings: The findings about errors and warnings of loading.
        stop: Where loading stopped; None if it did not, or if the place is unknown.
        complete: Whether the script was loaded to its end without errors.
    """

    def __init__(self, vm: VM) -> None:
        self.vm = vm
        self.table: SourceTable = vm.sources
        self.built_in_names = frozenset(vm.words())
        self.library_texts = len(vm.sources.texts)
        self.unknown_names: dict[str, None] = {}
        self.placeholder_xts: tuple[int, ...] = ()
        self.findings: list[Finding] = []
        self.stop: Location | None = None
        self.complete = False

    @property
    def script_texts(self) -> list[Text]:
        """The texts of the script, in the order in which their loading began."""
        texts = self.table.texts[self.library_texts :]
        return [text for text in texts if text.name != PLACEHOLDERS]

    def text_of(self, location: Location | None) -> Text | None:
        """Return the text of the script that contains a location."""
        file = location.file if location is not None else None
        return next((text for text in self.script_texts if text.name == file), None)

    def is_after_stop(self, location: Location | None) -> bool:
        """Whether a location is in the text in which loading stopped, after the stop."""
        stop = self.stop
        if stop is None or location is None or location.file != stop.file:
            return False
        return (location.line, location.column) > (stop.line, stop.column)

    def is_known(self, name: str) -> bool:
        """Whether a name is the name of a word, or a number."""
        return self.vm.native.find(name) != 0 or _NUMBER.match(name) is not None

    def words(self) -> set[str]:
        """Return the words of all texts."""
        return {
            text.decode(token.text)
            for text in self.script_texts
            for token in lex(text.data).tokens
            if token.kind == WORD
        }
