"""How messages name an option: as an argument in Python, as an option on the command line.

Owns that choice.  It applies to the whole process, since a message that one layer writes may be
shown, or written to a file, by another.  It must not know which options there are.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["advice", "for_command_line"]

_on_command_line = False


def advice(*, python: str, command_line: str) -> str:
    """The advice for the reader of messages."""
    return command_line if _on_command_line else python


@contextmanager
def for_command_line() -> Iterator[None]:
    """Messages written in the block are read by users of the `forthvm` command."""
    global _on_command_line  # noqa: PLW0603 - see above
    outer, _on_command_line = _on_command_line, True
    try:
        yield
    finally:
        _on_command_line = outer
