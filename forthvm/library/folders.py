"""The folders that the user has added to the library.

Owns the file in which they are remembered.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.failure import ForthVMError
from forthvm.core.reading import ReadError, as_type, parse_json, record
from forthvm.system.files import failure_reason, replace_file
from forthvm.system.folders import config_folder

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["LibraryFolders"]

_read = record({"folders": as_type(tuple[str, ...])}, others=True)


class LibraryFolders:
    """The remembered folders, in a file that is replaced with each change."""

    def __init__(self, file: Path) -> None:
        """Use a file, which need not exist."""
        self._file = file

    @classmethod
    def of_user(cls) -> LibraryFolders:
        """Return the folders in the file among the settings of the user."""
        return cls(config_folder() / "library.json")

    def all(self) -> tuple[Path, ...]:
        """Return the folders in the order in which they were added; some may no longer exist.

        Raises:
            ForthVMError: The file cannot be read.
        """
        try:
            folders: tuple[str, ...] = _read(parse_json(self._file.read_bytes()))["folders"]
        except (FileNotFoundError, NotADirectoryError):
            return ()
        except OSError as error:
            raise ForthVMError(f"{self._file} cannot be read: {failure_reason(error)}") from error
        except ReadError as error:
            raise ForthVMError(
                f"{self._file} is damaged: {error}; remove it to begin with no folders"
            ) from error
        return tuple(Path(folder) for folder in folders)

    def add(self, folder: Path) -> None:
        """Remember a folder; a folder that is remembered keeps its place."""
        self._write(dict.fromkeys([*self.all(), folder.absolute()]))

    def remove(self, folder: Path) -> bool:
        """Forget a folder, whose files stay; return whether it was remembered."""
        folders = self.all()
        others = [each for each in folders if each != folder.absolute()]
        if len(others) == len(folders):
            return False
        self._write(others)
        return True

    def _write(self, folders: Iterable[Path]) -> None:
        document = {"folders": [str(folder) for folder in folders]}
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            # ASCII, because names of files that are not UTF-8 contain surrogates.
            replace_file(self._file, json.dumps(document, indent=2).encode("ascii"))
        except OSError as error:
            raise ForthVMError(
                f"{self._file} cannot be written: {failure_reason(error)}"
            ) from error
