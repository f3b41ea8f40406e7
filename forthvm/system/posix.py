"""A program and its children on POSIX: a session and process group of their own.

If our own process is killed, it cannot end the program.  Therefore the group contains a guard: a
shell that waits until a pipe of our process closes, and then kills the group.

The process is reaped only after its group has been killed; before, the system cannot assign the
number of the group to another group.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Group"]

assert sys.platform != "win32"

_GUARD_SCRIPT = """\
(read -r _; sleep 1; kill -KILL 0) </dev/fd/{} >/dev/null 2>&1 &
exec "$0" "$@"
"""
"""The script of the shell: it starts the guard and then executes the program."""


class Group:
    """The processes of a program."""

    def __init__(self) -> None:
        """Create a group without processes."""
        self._guard_end, self._guard_pipe = os.pipe()

    def start(self, argv: Sequence[str], options: dict[str, Any]) -> subprocess.Popen[bytes]:
        """Start the program.

        Args:
            argv: The path of the program, and its arguments.
            options: Arguments of `subprocess.Popen`.

        Raises:
            OSError: The system cannot start it.
            ValueError: An argument contains a NUL byte.
        """
        try:
            os.stat(argv[0])  # noqa: PTH116 - the error of the shell would be less clear
            return subprocess.Popen(  # noqa: S603, RUF100 - the user's command
                ["/bin/sh", "-c", _GUARD_SCRIPT.format(self._guard_end), *argv],
                start_new_session=True,
                pass_fds=(self._guard_end,),
                **options,
            )
        finally:
            os.close(self._guard_end)

    def has_exited(self, process: subprocess.Popen[bytes]) -> bool:
        """Return whether the program has exited; it is not reaped if the system has `waitid`."""
        if process.returncode is not None:
            return True
        if not hasattr(os, "waitid"):  # macOS before Python 3.13
            return process.poll() is not None
        try:
            flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, process.pid, flags) is not None
        except ChildProcessError:  # other code has waited for all children
            return process.poll() is not None

    def terminate(self, process: subprocess.Popen[bytes]) -> None:
        """Ask the processes to end."""
        self._signal(process, signal.SIGTERM)

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """Kill the processes."""
        self._signal(process, signal.SIGKILL)

    def close(self) -> None:
        """Release what the group uses; if processes are left, the guard kills them."""
        os.close(self._guard_pipe)

    def _signal(self, process: subprocess.Popen[bytes], number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
