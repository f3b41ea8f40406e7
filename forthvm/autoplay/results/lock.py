"""A lock on a results file, so that only one process at a time plays its match.

Owns the file `RESULTS-lock` in the folder of the results file.  It must not know the contents of
results files.

The database itself cannot be locked: closing our descriptor of it would release SQLite's locks.
When the process ends, the operating system releases the lock.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]  # a module on other systems

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Lock", "LockedError"]


class LockedError(Exception):
    """Another process holds the lock."""


class Lock:
    """A lock that lasts until `release`, or until the process ends."""

    def __init__(self, path: Path) -> None:
        """Acquire the lock of a results file.

        Args:
            path: The results file, which need not exist.

        Raises:
            LockedError: Another process, or another match in this process, holds the lock.
            OSError: The lock file cannot be created.
        """
        self._path = path.with_name(f"{path.name}-lock")
        self._descriptor = -1
        while self._descriptor < 0:
            self._descriptor = self._acquire()

    def _acquire(self) -> int:
        """Open and lock the file; return its descriptor, or -1 if it was removed meanwhile."""
        descriptor = os.open(
            self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666
        )
        try:
            if fcntl is not None:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(descriptor), self._path.stat()):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            raise LockedError from None
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        return -1

    def release(self) -> None:
        """Release the lock; further calls do nothing."""
        if self._descriptor < 0:
            return
        with contextlib.suppress(OSError):  # the folder has become read-only
            # Removing the file after the release could remove the locked file of another process.
            self._path.unlink(missing_ok=True)
        os.close(self._descriptor)
        self._descriptor = -1
