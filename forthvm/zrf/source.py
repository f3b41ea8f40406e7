"""Places in rule files.

Owns `Place` (a character in a file) and `Origin` (a place with the macro calls that led to it).  It
must not know what stands at a place.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A character of a rule file; line and column count from 1, columns in bytes."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a form comes from.

    Attributes:
        place: The form itself, inside a macro's definition if it comes from one.
        calls: The macro calls that led there, as (macro's name, place of the call), innermost
            first.  Code that several calls share names the first call.
    """

    place: Place
    calls: tuple[tuple[str, Place], ...] = ()
