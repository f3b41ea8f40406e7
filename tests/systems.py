"""What operating systems lack: marks of the tests that cannot run there, with the reason.

Owns also how tests end and observe processes, where systems differ.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import NoReturn

import pytest

from forthvm.core.text.wording import exit_text

__all__ = [
    "KILLED",
    "ODD_CHARACTERS",
    "closes_own_pipes",
    "ended_by",
    "is_running",
    "kill_this_process",
    "needs_links",
    "needs_pipes",
    "needs_signals",
    "needs_unix_shell",
]

needs_links = pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
needs_signals = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
needs_unix_shell = pytest.mark.skipif(os.name == "nt", reason="Windows runs no shell scripts")
_in_wine = sys.platform == "win32" and hasattr(ctypes.windll.ntdll, "wine_get_version")
closes_own_pipes = pytest.mark.skipif(
    _in_wine, reason="in wine, the console of a program keeps its pipes open"
)

ODD_CHARACTERS = "" if os.name == "nt" else "<b>\x1b[2J\udcff"
"""Characters in names of files that Windows refuses."""
_KILL = 9  # SIGKILL, which has no name on Windows


def ended_by(signal_number: int) -> str:
    """Return how forthvm describes a process that sent itself a signal and ended.

    On Windows, it has ended with the number as its status.
    """
    return exit_text(signal_number if os.name == "nt" else -signal_number)


KILLED = ended_by(_KILL)


def kill_this_process() -> NoReturn:
    """End this process at once."""
    os.kill(os.getpid(), _KILL)
    raise AssertionError("the process continues")


if sys.platform == "win32":
    _SYNCHRONIZE = 0x100000
    _WAIT_TIMEOUT = 258

    def is_running(pid: int) -> bool:
        """Return whether a process is running."""
        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(_SYNCHRONIZE, False, pid)
        if not handle:
            return False
        try:
            return bool(kernel.WaitForSingleObject(handle, 0) == _WAIT_TIMEOUT)
        finally:
            kernel.CloseHandle(handle)

else:
    from pathlib import Path

    def is_running(pid: int) -> bool:
        """Return whether a process is running; a zombie is not."""
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
        except OSError:  # this system has no such files, or the process has just ended
            return not Path("/proc/self").exists()
