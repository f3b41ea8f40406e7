"""Programs that end, with all processes that they start, when this process ends.

Owns the start and the end of such programs, and the threads of their pipes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Any

from forthvm.system.pipes import PipeReader, PipeWriter

if sys.platform == "win32":
    from forthvm.system.windows import Group
else:
    from forthvm.system.posix import Group

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ChildProgram"]

_TERMINATE_SECONDS = 0.2
"""The time that a program has to end after it was asked to."""
_KILL_SECONDS = 5.0
"""The time to wait for the end of a killed program."""
_PIPE_SECONDS = 1.0
"""The time to wait until the pipes of an ended program are closed; processes that left its group
may keep them open."""
_POLL_SECONDS = 0.005


class ChildProgram:
    """A running program.

    Attributes:
        input: The pipe to its standard input.
        output: The pipe from its standard output.
        errors: The pipe from its standard error; None if it writes to that of this process.
    """

    def __init__(
        self, argv: Sequence[str], *, folder: str | None = None, last_errors: int | None = None
    ) -> None:
        """Start a program.

        Args:
            argv: The program, as a path, and its arguments.
            folder: Its working directory; None for the current directory.
            last_errors: The number of last bytes of its standard error that `errors` keeps; None:
                it has the standard error of this process.

        Raises:
            OSError: The system cannot start it.
            ValueError: An argument contains a NUL byte.
        """
        self._group = Group()
        options: dict[str, Any] = {
            "cwd": folder,
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": None if last_errors is None else subprocess.PIPE,
            "bufsize": 0,
        }
        self.errors: PipeReader | None = None
        try:
            self._process = process = self._group.start(argv, options)
            assert process.stdin is not None
            assert process.stdout is not None
            self.input = PipeWriter(process.stdin)
            self.output = PipeReader(process.stdout)
            if process.stderr is not None:
                self.errors = PipeReader(process.stderr, only_last=last_errors)
        except BaseException:
            self._group.close()  # ends a program that has started
            raise
        self._owner_pid = os.getpid()
        self._lock = Lock()
        self._ended = False

    @property
    def pid(self) -> int:
        """The process id of the program."""
        return self._process.pid

    @property
    def ended(self) -> bool:
        """Whether `end` was called."""
        return self._ended

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
        """Close the program's input, end the program and its children, and wait for that.

        Output that was not read is lost.  Further calls do nothing.

        Args:
            grace: Seconds in which the program may exit by itself.
        """
        with self._lock:
            # A fork of the process that started the program must not end it.
            if self._ended or os.getpid() != self._owner_pid:
                return
            self._ended = True
        self.input.close()
        self.output.discard()
        if not self.wait(grace):
            self._group.terminate(self._process)
            self.wait(_TERMINATE_SECONDS)
        self._group.kill(self._process)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_KILL_SECONDS)
        self._group.close()
        for pipe in (self.input, self.output, self.errors):
            if pipe is not None:
                pipe.join(_PIPE_SECONDS)
