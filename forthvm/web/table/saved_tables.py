"""Tables on disk, from which a server that was ended or killed continues.

Owns the folder of the files, and how they are written: only the user can read them, since they
contain keys, and a file is replaced as a whole.
"""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forthvm.system.files import is_older, is_own, replace_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["SavedTables", "TableFile"]

FORMAT, VERSION = "forthvm-table", 1
MOST_FILES = 100
MOST_DAYS = 180
_MAX_BYTES = 64 << 20


class TableFile:
    """The file of one table.

    Attributes:
        path: The file.
        about: The game and the address, by which the caller finds the table again.
    """

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        """Describe a file, which may not exist yet."""
        self.path = path
        self.about = dict(about)

    def write(self, table: Mapping[str, Any]) -> None:
        """Replace the file.

        The data need not be on the disk when the function returns: a killed process loses nothing,
        and waiting for the disk would delay each move.

        Raises:
            OSError: The file cannot be written.
        """
        document = {"format": FORMAT, "version": VERSION, "about": self.about, "table": table}
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # ASCII, because names of files that are not UTF-8 contain surrogates.
        data = json.dumps(document, separators=(",", ":")).encode("ascii")
        replace_file(self.path, data, mode=0o600)


class SavedTables:
    """The files of the tables of a user."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, which is created with the first table."""
        self._folder = folder

    def new_file(self, about: Mapping[str, Any]) -> TableFile:
        """Return the file of a new table."""
        return TableFile(self._folder / f"{secrets.token_hex(8)}.json", about)

    def newest_first(self) -> Iterator[tuple[TableFile, Mapping[str, Any]]]:
        """Yield each file with its table; damaged files are omitted."""
        for path in self._paths():
            with suppress(OSError, ValueError, RecursionError):
                if path.stat().st_size > _MAX_BYTES:
                    continue
                match json.loads(path.read_text("utf-8")):
                    case {
                        "format": "forthvm-table",
                        "version": 1,
                        "about": dict(about),
                        "table": dict(table),
                    }:
                        yield TableFile(path, about), table

    def clean_up(self) -> None:
        """Delete files that are older than MOST_DAYS, and all but the newest MOST_FILES."""
        for at, path in enumerate(self._paths()):
            with suppress(OSError):
                if at >= MOST_FILES or is_older(path, MOST_DAYS):
                    path.unlink()

    def _paths(self) -> list[Path]:
        """Return the user's own regular files, the newest first."""
        dated = []
        with suppress(OSError):
            for path in self._folder.glob("*.json"):
                with suppress(OSError):
                    status = path.lstat()
                    if path.is_file() and not path.is_symlink() and is_own(status):
                        dated.append((status.st_mtime_ns, path))
        return [path for _, path in sorted(dated, reverse=True)]
