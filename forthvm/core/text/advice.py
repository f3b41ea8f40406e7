"""Advice in messages: an option is named as a Python argument or as a command-line option.

This file owns the choice between the two.  The choice applies to the whole process, because one
layer may show a message that another layer wrote.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["advice", "for_command_line"]

_on_command_line = False


def advice(*, python: str, command_line: str) -> str:
    """Return `command_line` inside a block of `for_command_line`, otherwise `python`."""
    return command_line if _on_command_line else python


@contextmanager
def for_command_line() -> Iterator[None]:
    """Make `advice` return the texts for the command line inside a block."""
    global _on_command_line  # noqa: PLW0603 - the choice applies to the whole process
    outer, _on_command_line = _on_command_line, True
    try:
        yield
    finally:
        _on_command_line = outer
