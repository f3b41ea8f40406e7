"""The exit statuses of forthvm, and the error for a wrong command line."""

from __future__ import annotations

__all__ = ["FAILED", "INTERRUPTED", "OK", "USAGE", "UsageError"]

OK = 0
FAILED = 1
"""A script or an engine failed, or the output could not be written."""
USAGE = 2
"""The command line is wrong."""
INTERRUPTED = 130
"""The user pressed Ctrl-C."""


class UsageError(Exception):
    """The command line is wrong: an unknown name, or options that contradict each other."""
