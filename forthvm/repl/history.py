"""The history on disk.  Owns surviving what can happen to a file."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from prompt_toolkit.history import FileHistory, History, InMemoryHistory

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["make_history"]


class _Careful(FileHistory):
    """A history that goes on in memory when its file cannot be used any more."""

    def load_history_strings(self) -> Iterable[str]:
        """The lines, the newest first; what is no history is passed over."""
        try:
            return list(super().load_history_strings())
        except OSError:
            return []

    def store_string(self, string: str) -> None:
        """Append a line; a full disk ends no session."""
        with suppress(OSError):
            super().store_string(string)


def make_history(file: str) -> tuple[History, str]:
    """The history kept in a file (empty: none is kept), and what is wrong with it."""
    if not file:
        return InMemoryHistory(), ""
    path = Path(file).expanduser()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab"):
            pass
    except OSError as error:
        told = f"cannot write the history {path}: {error.strerror}; it is kept in memory only"
        return InMemoryHistory(), told
    return _Careful(str(path)), ""
