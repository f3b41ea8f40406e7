"""The error of the study layer."""

from __future__ import annotations

from forthvm.core.errors import ForthVMError

__all__ = ["StudyError"]


class StudyError(ForthVMError, ValueError):
    """Recorded games, a database or a table cannot be used as requested."""
