"""A program and its children on Windows: a job, which the system ends with our process.

Windows has no signals, so a program is not asked to end; it sees the end of its input.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

from forthvm.system.windows import Job, has_console, resume

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Group"]

assert sys.platform == "win32"

_CREATE_SUSPENDED = 4


class Group:
    """The processes of a program."""

    def __init__(self) -> None:
        """Create a group without processes."""
        self._job = Job()

    def start(self, argv: Sequence[str], options: dict[str, Any]) -> subprocess.Popen[bytes]:
        """Start the program; see the same function of posix_group.py."""
        # Ctrl-C is for our process only.  Without a console, the program would open a window.
        flags = subprocess.CREATE_NEW_PROCESS_GROUP
        if not has_console():
            flags |= subprocess.CREATE_NO_WINDOW
        # Its first child must belong to the job, too, so it does not run before it is added.
        process = subprocess.Popen(  # noqa: S603, RUF100 - the user's command
            argv, creationflags=flags | _CREATE_SUSPENDED, **options
        )
        handle = int(process._handle)  # type: ignore[attr-defined]  # its only name
        try:
            self._job.add(handle)
        except OSError:
            process.kill()
            raise
        resume(handle)
        return process

    def has_exited(self, process: subprocess.Popen[bytes]) -> bool:
        """Return whether the program has exited."""
        return process.poll() is not None

    def terminate(self, process: subprocess.Popen[bytes]) -> None:
        """Do nothing: the program has seen the end of its input."""

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """Kill the processes."""
        self._job.kill()

    def close(self) -> None:
        """Kill the processes that are left."""
        self._job.close()
