"""The library of a user as a page shows it: which folders and files it has, and its scans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.library.scan import Scan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from forthvm.library.cache import Cache
    from forthvm.library.dropped import DroppedFiles
    from forthvm.library.entry import Entry
    from forthvm.library.folders import LibraryFolders

__all__ = ["UserLibrary"]


@dataclass(frozen=True, slots=True)
class UserLibrary:
    """Where the files of a library are.

    Attributes:
        cache: What is known about them.
        folders: The remembered folders.
        dropped: The files that were dropped on a page.
        given: Folders that are not remembered.
        games: Single files, such as the bundled games.
    """

    cache: Cache
    folders: LibraryFolders
    dropped: DroppedFiles
    given: tuple[Path, ...] = ()
    games: tuple[Path, ...] = ()

    def scan(self) -> tuple[Scan, Iterator[Entry]]:
        """Return a scan of all files, for its progress, and the entries that it yields.

        Raises:
            ForthVMError: The remembered folders cannot be read.
        """
        scan = Scan(self.cache)
        folders = [*self.folders.all(), *self.given]
        if self.dropped.folder.is_dir():
            folders.append(self.dropped.folder)
        return scan, scan.entries(folders, self.games)
