"""A finding and its presentation.

This file owns its shape, its order and its line in a report; it must not know what is found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.error_report import excerpt
from forthvm.core.value import Value

from .code_info import severity

if TYPE_CHECKING:
    from forthvm.core.location import Location

__all__ = ["Finding"]

_MOST_SHOWN = 8
"""Consequences that a report names."""


class Finding(Value):
    """Something that the checks found.

    Attributes:
        code: Such as W201; `forthvm.check.CODES` explains it.
        message: What is wrong, with the names.
        location: Where, None if that is no place in a text.
        word: The definition that it lies in, "" if none.
        hints: What might help, a line each.
        follows: What is wrong only as this is, and is not reported on its own.
    """

    code: str
    message: str
    location: Location | None
    word: str = ""
    hints: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()

    @property
    def severity(self) -> str:
        """The severity: error, warning or info."""
        return severity(self.code)

    @property
    def order(self) -> tuple[str, int, int, str, str]:
        """By file, line and column."""
        place = self.location
        if place is None:
            return ("", 0, 0, self.code, self.message)
        return (place.file, place.line, place.column, self.code, self.message)

    def __str__(self) -> str:
        place = f"{self.location}: " if self.location else ""
        more = f" (and {len(self.follows)} that follow)" if self.follows else ""
        return f"{place}{self.severity} {self.code}: {self.message}{more}"

    def report(self) -> str:
        """The finding with its source line, as errors are shown."""
        lines = [str(self)]
        if self.location is not None:
            lines += excerpt(self.location)
        hints = [*self.hints]
        if self.follows:
            shown = ", ".join(self.follows[:_MOST_SHOWN])
            more = " and more" if len(self.follows) > _MOST_SHOWN else ""
            hints.append(f"follow from it: {shown}{more}")
        return "\n".join([*lines, *(f"  {hint}" for hint in hints)])

    def as_dict(self) -> dict[str, object]:
        """As JSON has it: file, line and column beside the rest."""
        place = self.location
        return {
            "file": place.file if place else None,
            "line": place.line if place else None,
            "column": place.column if place else None,
            "length": place.length if place else None,
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
            "word": self.word or None,
            "hints": list(self.hints),
            "follows": list(self.follows),
        }
