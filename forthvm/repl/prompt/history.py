"""The history of typed lines in a file.

Owns handling files that cannot be read or written.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from forthvm.system.files import failure_reason

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["make_history"]

_MAX_BYTES = 16 << 20
"""The maximum size of a history file, which is read completely at the start."""


class _TolerantHistory(FileHistory):
    """A history that continues in memory when its file cannot be written."""

    def load_history_strings(self) -> Iterable[str]:
        """Return the lines, the newest first; no lines if the file cannot be read."""
        try:
            return list(super().load_history_strings())
        except OSError:
            return []

    def store_string(self, string: str) -> None:
        """Append a line; a write error does not end the session."""
        with suppress(OSError):
            super().store_string(string)


def make_history(file: str) -> tuple[History, str]:
    """Return the history in a file, and an error or ""; without a name, a history in memory."""
    if not file:
        return InMemoryHistory(), ""
    try:
        path = Path(file).expanduser()
        path.parent.mkdir(parents=True, exist_ok=True)
        problem = _problem(path)
        if problem:
            return InMemoryHistory(), f"{problem}; it is kept in memory only"
        with path.open("ab"):
            pass
    # ValueError: a NUL in the name.  RuntimeError: an unknown user after ~.
    except (OSError, ValueError, RuntimeError) as error:
        reason = failure_reason(error)
        message = f"cannot write the history {file}: {reason}; it is kept in memory only"
        return InMemoryHistory(), message
    return _TolerantHistory(str(path)), ""


def _problem(path: Path) -> str:
    """Return why a file cannot be used; "" if it can.  Opening a FIFO would wait for a reader."""
    if not path.exists() or path.is_dir():  # opening a folder fails with a suitable error
        return ""
    if not path.is_file():
        return f"the history {path} is not a regular file"
    if path.stat().st_size > _MAX_BYTES:
        return f"the history {path} is larger than {_MAX_BYTES >> 20} MiB"
    return ""
