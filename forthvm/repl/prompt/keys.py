"""Reads single keys from the terminal, and the size of the terminal.

Owns the terminal's mode while waiting for a key.
"""

from __future__ import annotations

import os
import sys

__all__ = ["read_key", "terminal_size"]


def read_key() -> str:
    """Wait for a key and return it; "" at the end of input."""
    try:
        import termios
        import tty
    except ImportError:  # Windows: read a line
        return sys.stdin.readline()[:1]
    descriptor = sys.stdin.fileno()
    sys.stdout.flush()
    mode_before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        return os.read(descriptor, 1).decode(errors="replace")
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, mode_before)


def terminal_size() -> tuple[int, int]:
    """Return columns and lines of the terminal."""
    try:
        size = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):
        return 80, 24
    return size.columns or 80, size.lines or 24
