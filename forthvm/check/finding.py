"""A finding: its fields, sort order and text; and the description of its code.

The table of all codes is in codes.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.errors.report import excerpt
from forthvm.core.text.wording import counted

if TYPE_CHECKING:
    from forthvm.core.location import Location

__all__ = ["CodeInfo", "Finding"]

_SEVERITIES = {"E": "error", "W": "warning", "I": "info"}


_MAX_SHOWN = 8
"""The maximum number of consequences that a report lists."""


@dataclass(frozen=True)
class CodeInfo:
    """The description of a code.

    Attributes:
        code: The code, such as W201.
        title: A short title.
        why: Why the finding matters, in one to three sentences.
        bad: A script with this finding.
        good: A similar script without this finding.
    """

    code: str
    title: str
    why: str
    bad: str
    good: str

    @property
    def severity(self) -> str:
        """The severity: error, warning or info."""
        return _SEVERITIES[self.code[0]]


@dataclass(frozen=True)
class Finding:
    """A result of the checks.

    Attributes:
        code: The code, such as W201; `forthvm.check.CODES` explains it.
        message: A description of the problem.
        location: The location; None if a file cannot be read.
        word: The name of the definition that contains the location; "" if there is none.
        hints: Lines of advice.
        consequences: Further errors that this problem causes, and that are not findings.
    """

    code: str
    message: str
    location: Location | None
    word: str = ""
    hints: tuple[str, ...] = ()
    consequences: tuple[str, ...] = ()

    @property
    def severity(self) -> str:
        """The severity: error, warning or info."""
        return _SEVERITIES[self.code[0]]

    @property
    def order(self) -> tuple[str, int, int, str, str]:
        """The sort key: file, line, column, code, message."""
        location = self.location
        if location is None:
            return ("", 0, 0, self.code, self.message)
        return (location.file, location.line, location.column, self.code, self.message)

    def __str__(self) -> str:
        location = f"{self.location}: " if self.location else ""
        more = (
            f" (and {counted(len(self.consequences), 'consequence')})" if self.consequences else ""
        )
        return f"{location}{self.severity} {self.code}: {self.message}{more}"

    def report(self) -> str:
        """Return the finding with its source line and hints."""
        lines = [str(self)]
        if self.location is not None:
            lines += excerpt(self.location)
        hints = [*self.hints]
        if self.consequences:
            shown = ", ".join(self.consequences[:_MAX_SHOWN])
            more = " and more" if len(self.consequences) > _MAX_SHOWN else ""
            hints.append(f"consequences: {shown}{more}")
        return "\n".join([*lines, *(f"  {hint}" for hint in hints)])

    def as_dict(self) -> dict[str, object]:
        """Return the finding as a JSON object."""
        location = self.location
        return {
            "file": location.file if location else None,
            "line": location.line if location else None,
            "column": location.column if location else None,
            "length": location.length if location else None,
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
            "word": self.word or None,
            "hints": list(self.hints),
            "follows": list(self.consequences),
        }
