"""Places in rule files, and the warnings and errors about them.

Owns `Place` (a character in a file), `Origin` (a place with the macro calls that led to it),
`RuleWarning` and the exception classes.
"""

from __future__ import annotations

from dataclasses import dataclass

from forthvm.core.failure import ForthVMError

__all__ = [
    "MissingFileError",
    "Origin",
    "Place",
    "RuleFileError",
    "RuleWarning",
    "UnknownVariantError",
]


@dataclass(frozen=True, slots=True)
class Place:
    """A character of a rule file; line and column count from 1, columns in characters."""

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


@dataclass(frozen=True, slots=True)
class RuleWarning:
    """A remark about a rule file that can be used all the same.

    Attributes:
        message: What is wrong, and what forthvm does about it; one sentence without a full stop.
        origin: Where; None if it concerns the whole file.
    """

    message: str
    origin: Origin | None = None

    def __str__(self) -> str:
        return f"{self.origin.place}: {self.message}" if self.origin else self.message


class RuleFileError(ForthVMError, ValueError):
    """A rule file is broken.

    `location` is the place in the file, `trace` the macro calls that led there, innermost first,
    and `hints` says what to do.
    """

    summary = "the rule file is broken"


class MissingFileError(RuleFileError):
    """An included file does not exist."""


class UnknownVariantError(RuleFileError, LookupError):
    """The rule file has no variant with that title or index."""

    summary = "unknown variant"
