"""A lock that only one process at a time can hold, as a file.

When a process ends, the system releases its locks.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

from forthvm.system.files import open_file

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["FileLock", "LockedError"]

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        """Lock a file, until the descriptor is closed."""
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    _LOCKED = OSError  # PermissionError, but Wine does not report the reason
    _CAN_REMOVE_OPEN_FILES = False

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        """Lock a file, until the descriptor is closed."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    _LOCKED = BlockingIOError
    _CAN_REMOVE_OPEN_FILES = True


class LockedError(Exception):
    """Another process, or another `FileLock` of this process, holds the lock."""


class FileLock:
    """A lock that lasts until `release`, or until the process ends."""

    def __init__(self, path: Path) -> None:
        """Acquire the lock.

        Args:
            path: The file of the lock, which is created, and removed by `release`.

        Raises:
            LockedError: Another process holds the lock.
            OSError: The file cannot be created.
        """
        self._path = path
        self._descriptor = -1
        while self._descriptor < 0:
            self._descriptor = self._acquire()

    def _acquire(self) -> int:
        """Open and lock the file; return its descriptor, or -1 if it was removed meanwhile."""
        descriptor = open_file(self._path, os.O_RDWR | os.O_CREAT, follow=False)
        try:
            try:
                _lock(descriptor)
            except _LOCKED:
                raise LockedError from None
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), self._path.stat()):
                    return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        return -1

    def release(self) -> None:
        """Release the lock; further calls do nothing."""
        if self._descriptor < 0:
            return
        # If the file could be removed after the release, this could be the locked file of another
        # process.  Windows does not remove files that a process has open.
        if _CAN_REMOVE_OPEN_FILES:
            self._remove()
        os.close(self._descriptor)
        self._descriptor = -1
        if not _CAN_REMOVE_OPEN_FILES:
            self._remove()

    def _remove(self) -> None:
        with contextlib.suppress(OSError):  # the folder has become read-only
            self._path.unlink(missing_ok=True)
