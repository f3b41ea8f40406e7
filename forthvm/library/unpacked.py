"""The archives that are unpacked in the cache.

Owns their folders, and one limit for all of them.  What was used least recently is removed first,
but nothing that this process has used: it shows the entries of these files.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING

from forthvm.system.files import folder_size, remove_folder

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["UnpackedArchives"]

MOST_BYTES = 4 << 30
"""The most bytes of all unpacked archives."""


class UnpackedArchives:
    """The folders of all unpacked archives; any thread may use them."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, which is created with the first archive."""
        self._folder = folder
        self._lock = Lock()
        self._used: set[Path] = set()
        self._sizes: dict[Path, int] = {}  # empty before a size is first needed

    def folder_of(self, archive: Path, state: str) -> Path:
        """Return the folder for an archive in a state; if it exists, it is used from now on."""
        place = _short_digest(os.fsencode(archive))
        folder = self._folder / place / _short_digest(state.encode())
        with suppress(OSError), self._lock:
            os.utime(folder)
            self._used.add(folder)
        return folder

    def keep(self, folder: Path) -> bool:
        """Use a new folder, in place of others if they are too large; if all are used, remove it.

        Returns:
            Whether the folder remains.
        """
        with self._lock:
            if not self._sizes:
                self._sizes = {path: folder_size(path) for path in self._folder.glob("*/*")}
            self._sizes[folder] = folder_size(folder)
            excess = sum(self._sizes.values()) - MOST_BYTES
            unused = self._sizes.keys() - self._used - {folder}
            for path in [*sorted(unused, key=_last_use), folder]:
                if excess > 0:
                    excess -= self._sizes.pop(path)
                    _remove(path)
            if folder in self._sizes and folder.is_dir():
                self._used.add(folder)
            return folder in self._used

    def remove(self, folder: Path) -> None:
        """Remove a folder, in which there is no game."""
        with self._lock:
            self._sizes.pop(folder, None)
            self._used.discard(folder)
            _remove(folder)


def _remove(folder: Path) -> None:
    with suppress(OSError):
        remove_folder(folder)


def _last_use(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:  # another process has removed it
        return 0.0


def _short_digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
