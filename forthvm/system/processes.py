"""Programs that end, with all processes that they start, when this process ends.

Owns the start and the end of such programs.  It must not know how one communicates with them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if sys.platform == "win32":
    from forthvm.system.windows_group import Group
else:
    from forthvm.system.posix_group import Group

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ChildProgram"]

_TERMINATE_SECONDS = 0.2
"""The time that a program has to end after it was asked to."""
_KILL_SECONDS = 5.0
"""The time to wait for the end of a killed program."""
_POLL_SECONDS = 0.005


class ChildProgram:
    """A running program.

    Attributes:
        stdin: The pipe to its standard input.
        stdout: The pipe from its standard output.
        stderr: The pipe from its standard error; None if it writes to that of this process.
    """

    def __init__(
        self, argv: Sequence[str], *, folder: str | None = None, read_errors: bool = False
    ) -> None:
        """Start a program.

        Args:
            argv: The program, as a path, and its arguments.
            folder: Its working directory; None for the current directory.
            read_errors: Whether `stderr` is a pipe.

        Raises:
            OSError: The system cannot start it.
            ValueError: An argument contains a NUL byte.
        """
        self._group = Group()
        options: dict[str, Any] = {
            "cwd": folder,
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE if read_errors else None,
            "bufsize": 0,
        }
        try:
            self._process = self._group.start(argv, options)
        except BaseException:
            self._group.close()
            raise
        self._owner_pid = os.getpid()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.stdin, self.stdout = self._process.stdin, self._process.stdout
        self.stderr = self._process.stderr

    @property
    def pid(self) -> int:
        """The process id of the program."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """The exit status as in `subprocess`; None before `end`."""
        return self._process.returncode

    def has_exited(self) -> bool:
        """Return whether the program has exited; its children may still run."""
        return self._group.has_exited(self._process)

    def wait(self, seconds: float) -> bool:
        """Wait for the exit of the program; return whether it exited in time."""
        deadline = time.monotonic() + seconds
        while not self.has_exited():
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_SECONDS)
        return True

    def kill(self) -> None:
        """Kill the program and its children; any thread may call this."""
        if self._process.returncode is None:
            self._group.kill(self._process)

    def end(self, grace: float = 0.0) -> None:
        """End the program and its children, and wait for that.  The pipes stay open.

        Args:
            grace: Seconds in which the program may exit by itself.
        """
        # A fork of the process that started the program must not end it.
        if os.getpid() != self._owner_pid:
            return
        if not self.wait(grace):
            self._group.terminate(self._process)
            self.wait(_TERMINATE_SECONDS)
        self._group.kill(self._process)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_KILL_SECONDS)
        self._group.close()
