"""The description of a code: its severity, meaning, a script with it and one without.

This file owns the record; the table of all codes is codes.py.
"""

from __future__ import annotations

from forthvm.core.value import Value

__all__ = ["CodeInfo", "severity"]

_SEVERITIES = {"E": "error", "W": "warning", "I": "info"}


class CodeInfo(Value):
    """What a code means.

    Attributes:
        code: Such as W201.
        title: In a few words.
        why: Why it matters, a sentence or two.
        bad: A script that must be found.
        good: One near it that must not.
    """

    code: str
    title: str
    why: str
    bad: str
    good: str

    @property
    def severity(self) -> str:
        """Severity by its letter: error, warning or info."""
        return severity(self.code)


def severity(code: str) -> str:
    """The severity of a code: error, warning or info."""
    return _SEVERITIES[code[0]]
