"""Texts that a target loads: when code is added, and where the interpretation of a line begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import STATE

if TYPE_CHECKING:
    from forthvm.core.bindings import TracePoint
    from forthvm.core.vm import VM
    from forthvm.debug.source_map.code_map import CodeMap, Line

__all__ = ["LoadingTexts"]


_COMMENTS = ("\\", "( ")


class LoadingTexts:
    """The texts that the runs of a target load; going back loads the same texts again."""

    def __init__(self, vm: VM, code: CodeMap) -> None:
        self._vm = vm
        self._code = code
        self._size = (0, 0)  # the greatest numbers of texts and of bytes of the dictionary
        self._begins: dict[Line, int] = {}  # the first token that each line executes

    def has_grown(self) -> bool:
        """Whether texts or definitions were added since the last call."""
        texts, here = self._size
        size = max(texts, len(self._vm.sources.texts)), max(here, self._vm.native.here())
        has_grown = size != self._size
        self._size = size
        return has_grown

    def is_passed(self, stop: TracePoint) -> bool:
        """Whether a token is a comment, or an immediate word in a definition being compiled."""
        if not stop.executed or stop.ip or not stop.source:
            return False
        if self._vm.native.read_cell(STATE):
            return True
        location = self._vm.sources.locate(stop.source)
        return location is not None and location.text[location.column - 1 :].startswith(_COMMENTS)

    def line_begun(self, stop: TracePoint) -> Line | None:
        """Return the line of a text whose first word is executed at a stop; else None."""
        if not stop.executed or stop.ip or not stop.source:
            return None
        line = self._code.line_at(stop.source)
        if line is None or self._begins.setdefault(line, stop.source) != stop.source:
            return None
        return line
