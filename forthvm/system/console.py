"""The terminal of a command: its streams, their readers, Ctrl-Break, keys, size."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from io import TextIOWrapper

__all__ = [
    "has_screen",
    "interrupt_by_break",
    "prepare_stream",
    "raise_if_reader_left",
    "read_key",
    "terminal_size",
]

if sys.platform == "win32":
    import msvcrt
    import signal

    _SPECIAL_KEYS = ("\0", "\xe0")
    """The first of the two characters of an arrow or function key."""

    def interrupt_by_break() -> None:
        """Make Ctrl-Break raise KeyboardInterrupt, as Ctrl-C does; it would end the process."""
        signal.signal(signal.SIGBREAK, signal.default_int_handler)

    def prepare_stream(stream: TextIOWrapper) -> None:
        """Set up a standard stream: characters that it cannot encode become `?`.

        Pipes and files are UTF-8, as on other systems, unless PYTHONIOENCODING chooses an encoding.
        """
        if stream.isatty():
            from forthvm.system.windows import enable_colours

            with suppress(OSError):  # it has no descriptor
                enable_colours(stream.fileno())
        elif not os.environ.get("PYTHONIOENCODING"):
            stream.reconfigure(encoding="utf-8")
        stream.reconfigure(errors="replace")

    def read_key() -> str:
        """Wait for a key and return it; an arrow or function key is returned as NUL."""
        sys.stdout.flush()
        key = msvcrt.getwch()
        if key == "\x03":
            raise KeyboardInterrupt
        if key in _SPECIAL_KEYS:
            msvcrt.getwch()
            return "\0"
        return key

else:

    def interrupt_by_break() -> None:
        """Do nothing: other systems have no Ctrl-Break."""

    def prepare_stream(stream: TextIOWrapper) -> None:
        """Set up a standard stream: characters that it cannot encode become `?`."""
        stream.reconfigure(errors="replace")

    def read_key() -> str:
        """Wait for a key and return it; "" at the end of input."""
        import termios
        import tty

        descriptor = sys.stdin.fileno()
        sys.stdout.flush()
        mode_before = termios.tcgetattr(descriptor)
        try:
            tty.setcbreak(descriptor)
            return os.read(descriptor, 1).decode(errors="replace")
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, mode_before)


def raise_if_reader_left(error: OSError, *, system: str = sys.platform) -> None:
    """Raise BrokenPipeError if the error of a write means that the reader of a pipe has exited.

    Windows calls an argument invalid then.
    """
    if system == "win32" and error.errno == errno.EINVAL:
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)) from error


def terminal_size() -> tuple[int, int]:
    """Return columns and lines of the terminal."""
    try:
        size = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):
        return 80, 24
    return size.columns or 80, size.lines or 24


def has_screen(*, system: str = sys.platform) -> bool:
    """Return whether the user sees windows; without them, Linux has only a terminal."""
    names = ("DISPLAY", "WAYLAND_DISPLAY")
    return not system.startswith("linux") or any(os.environ.get(name) for name in names)
