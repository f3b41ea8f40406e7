"""Errors of engines.

Owns the exception classes that only engines raise; what a script does wrong while an
engine runs it is told by the core's own errors.
"""

from __future__ import annotations

from forthvm.core.errors import EngineError

__all__ = ["EngineError", "EngineOptionError", "UnknownEngineError"]


class EngineOptionError(EngineError, ValueError):
    """An option or a limit that the engine does not have, or with a value it cannot take."""


class UnknownEngineError(EngineError, LookupError):
    """No engine goes by that name."""
