"""Functions of Windows that Python does not have: jobs, and the path of an open file.

Owns all calls of the Windows API.  It can be imported only on Windows.
"""

from __future__ import annotations

import ctypes
import msvcrt
import sys
from ctypes import wintypes
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Sequence

assert sys.platform == "win32"

__all__ = ["Group", "enable_colours", "path_of"]

_kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
_ntdll = ctypes.WinDLL("ntdll")
_kernel32.CreateJobObjectW.restype = wintypes.HANDLE
_kernel32.CreateJobObjectW.argtypes = [wintypes.LPVOID, wintypes.LPCWSTR]
_kernel32.SetInformationJobObject.argtypes = [
    wintypes.HANDLE,
    ctypes.c_int,
    wintypes.LPVOID,
    wintypes.DWORD,
]
_kernel32.AssignProcessToJobObject.argtypes = [wintypes.HANDLE, wintypes.HANDLE]
_kernel32.TerminateJobObject.argtypes = [wintypes.HANDLE, wintypes.UINT]
_kernel32.CloseHandle.argtypes = [wintypes.HANDLE]
_kernel32.GetConsoleWindow.restype = wintypes.HWND
_kernel32.GetConsoleMode.argtypes = [wintypes.HANDLE, ctypes.POINTER(wintypes.DWORD)]
_kernel32.SetConsoleMode.argtypes = [wintypes.HANDLE, wintypes.DWORD]
_kernel32.GetFinalPathNameByHandleW.restype = wintypes.DWORD
_kernel32.GetFinalPathNameByHandleW.argtypes = [
    wintypes.HANDLE,
    wintypes.LPWSTR,
    wintypes.DWORD,
    wintypes.DWORD,
]
_ntdll.NtResumeProcess.argtypes = [wintypes.HANDLE]

_CREATE_SUSPENDED = 4
_EXTENDED_LIMITS = 9  # JobObjectExtendedLimitInformation
_KILL_ON_JOB_CLOSE = 0x2000
_VIRTUAL_TERMINAL_PROCESSING = 4
_MAX_PATH_CHARACTERS = 32768


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("PerProcessUserTimeLimit", wintypes.LARGE_INTEGER),
        ("PerJobUserTimeLimit", wintypes.LARGE_INTEGER),
        ("LimitFlags", wintypes.DWORD),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", wintypes.DWORD),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", wintypes.DWORD),
        ("SchedulingClass", wintypes.DWORD),
    )


class _ExtendedLimits(ctypes.Structure):
    _fields_ = (
        ("BasicLimitInformation", _BasicLimits),
        ("IoInfo", ctypes.c_uint64 * 6),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    )


class _Job:
    """Processes that end when the job is killed or closed, or when this process ends.

    The processes that they start belong to the job, too.
    """

    def __init__(self) -> None:
        """Create a job without processes.

        Raises:
            OSError: The system refused.
        """
        self._handle = _kernel32.CreateJobObjectW(None, None)
        _check(self._handle)
        limits = _ExtendedLimits()
        limits.BasicLimitInformation.LimitFlags = _KILL_ON_JOB_CLOSE
        _check(
            _kernel32.SetInformationJobObject(
                self._handle, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
            )
        )

    def add(self, process: int) -> None:
        """Add a process, given by its handle.

        Raises:
            OSError: The system refused.
        """
        _check(_kernel32.AssignProcessToJobObject(self._handle, process))

    def kill(self) -> None:
        """Kill the processes."""
        _kernel32.TerminateJobObject(self._handle, 1)

    def close(self) -> None:
        """Kill the processes and close the job; further calls do nothing."""
        handle, self._handle = self._handle, None
        if handle:
            _kernel32.CloseHandle(handle)


class Group:
    """The processes of a program: a job.

    Windows has no signals, so a program is not asked to end; it sees the end of its input.
    """

    def __init__(self) -> None:
        """Create a group without processes."""
        self._job = _Job()

    def start(self, argv: Sequence[str], options: dict[str, Any]) -> subprocess.Popen[bytes]:
        """Start the program; see the same function in posix.py."""
        import subprocess  # most commands start no program

        # Ctrl-C is for our process only.  Without a console, the program would open a window.
        flags = subprocess.CREATE_NEW_PROCESS_GROUP
        if not _kernel32.GetConsoleWindow():
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
        _ntdll.NtResumeProcess(handle)
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


def enable_colours(descriptor: int) -> None:
    """Make the console interpret escape sequences; do nothing if it is none."""
    mode = wintypes.DWORD()
    handle = msvcrt.get_osfhandle(descriptor)
    if _kernel32.GetConsoleMode(handle, ctypes.byref(mode)):
        _kernel32.SetConsoleMode(handle, mode.value | _VIRTUAL_TERMINAL_PROCESSING)


def path_of(descriptor: int) -> str:
    r"""Return the path of an open file, without links; it begins with `\\?\`.

    Raises:
        OSError: The system does not know the path.
    """
    buffer = ctypes.create_unicode_buffer(_MAX_PATH_CHARACTERS)
    handle = msvcrt.get_osfhandle(descriptor)
    _check(_kernel32.GetFinalPathNameByHandleW(handle, buffer, _MAX_PATH_CHARACTERS, 0))
    return buffer.value


def _check(result: object) -> None:
    """Raise the error of the last call if its result is 0."""
    if not result:
        raise ctypes.WinError(ctypes.get_last_error())
