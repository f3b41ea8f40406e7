"""The type `CodeInfo`: severity, meaning and two examples of a code.

The table of all codes is in codes.py.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CodeInfo", "severity"]

_SEVERITIES = {"E": "error", "W": "warning", "I": "info"}


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
        return severity(self.code)


def severity(code: str) -> str:
    """Return the severity of a code: error, warning or info."""
    return _SEVERITIES[code[0]]
