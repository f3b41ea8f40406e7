"""The errors of rule files.

Owns the exception classes.
"""

from __future__ import annotations

from forthvm.core.failure import ForthVMError

__all__ = ["MissingFileError", "RuleFileError", "UnknownVariantError"]


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
