"""The lock of a match: one process at a time plays it.

Owns the file `RESULTS-lock` beside the results and how long it is held.  It must not know what
the results hold.

The lock is a file of its own: closing a second descriptor of the database would drop SQLite's
own locks.  The system releases it when the process ends, however that happens.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

try:
    import fcntl
except ImportError:  # a system without such locks
    fcntl = None  # type: ignore[assignment]  # that is the point

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Lock", "LockedError"]


class LockedError(Exception):
    """Another process holds the lock."""


class Lock:
    """A lock that is held until `release`, or until the process ends."""

    def __init__(self, path: Path) -> None:
        """Takes the lock of a file of results.

        Args:
            path: The file of results, which need not exist.

        Raises:
            LockedError: another process, or another match in this one, plays it.
            OSError: the file beside it cannot be made.
        """
        self._path = path.with_name(f"{path.name}-lock")
        self._number = -1
        while self._number < 0:
            self._number = self._taken()

    def _taken(self) -> int:
        """A descriptor that holds the lock; -1: the file was removed meanwhile."""
        number = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        try:
            if fcntl is not None:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(number), self._path.stat()):
                return number
        except BlockingIOError:
            os.close(number)
            raise LockedError from None
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(number)
            raise
        os.close(number)
        return -1

    def release(self) -> None:
        """Lets others have it; again does nothing."""
        if self._number < 0:
            return
        with contextlib.suppress(OSError):  # in a folder that has become read-only
            self._path.unlink(missing_ok=True)  # while it is held: a new file is a new lock
        os.close(self._number)
        self._number = -1
