"""How much of the computer this process may use: processors, memory, open files."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

__all__ = ["CAN_LIMIT_MEMORY", "allow_open_files", "limit_memory", "processors"]

if sys.platform == "win32":
    CAN_LIMIT_MEMORY = False

    def limit_memory(number: int) -> None:
        """Raise an error.

        Raises:
            NotImplementedError: Windows cannot limit the memory of a process in this way.
        """
        raise NotImplementedError("Windows cannot limit the memory of a process")

    def allow_open_files(number: int) -> None:
        """Do nothing: Windows has no such limit."""

else:
    import resource

    CAN_LIMIT_MEMORY = True

    def limit_memory(number: int) -> None:
        """Limit the address space of this process to its current size plus a number of bytes."""
        reserved = 0
        with suppress(OSError, ValueError, IndexError):
            pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
            reserved = pages * resource.getpagesize()
        with suppress(OSError, ValueError):
            # A process can raise its soft limit for later work, but not its hard limit.
            hard_limit = resource.getrlimit(resource.RLIMIT_AS)[1]
            resource.setrlimit(resource.RLIMIT_AS, (reserved + number, hard_limit))

    def allow_open_files(number: int) -> None:
        """Let this process open a number of files, or as many as the system allows."""
        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = number if most == resource.RLIM_INFINITY else min(number, most)
        if resource.RLIM_INFINITY != now < wanted:
            with suppress(ValueError, OSError):  # the system has a lower limit
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def processors() -> int:
    """Return the number of processors that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    else:
        return os.cpu_count() or 1
