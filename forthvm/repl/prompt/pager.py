"""Shows long output one screen at a time.

Owns counting lines and waiting for a key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["EnoughError", "Pager"]

_PROMPT = "-- more: blank, Enter, a(ll) or q --"


class EnoughError(KeyboardInterrupt):
    """Raised when the user ends long output at a pause."""


class Pager:
    """Writes text, and waits for a key when the screen is full.

    Args:
        write: Prints a text.
        read_key: Waits for a key and returns it.
        size: Returns columns and lines of the terminal.
    """

    def __init__(
        self,
        write: Callable[[str], object],
        read_key: Callable[[], str],
        size: Callable[[], tuple[int, int]],
    ) -> None:
        self._write = write
        self._read_key = read_key
        self._size = size
        self._lines_until_pause: int | None = None  # None: write without pauses
        self._column = 0

    def begin(self) -> None:
        """Begin to count lines, after the user has typed a line."""
        self._lines_until_pause = max(self._size()[1] - 2, 1)
        self._column = 0

    def write(self, text: str) -> None:
        """Print a text, and wait for a key when the screen is full.

        Raises:
            EnoughError: the user ends the output.
        """
        for part in text.splitlines(keepends=True):
            if self._lines_until_pause == 0:
                self._pause()
            self._write(part)
            if self._lines_until_pause is not None:
                self._lines_until_pause = max(self._lines_until_pause - self._rows(part), 0)

    def _rows(self, part: str) -> int:
        """Return the number of screen lines that a part of a text fills."""
        columns = max(self._size()[0], 1)
        self._column += _visible_length(part.rstrip("\n"))
        if not part.endswith("\n"):
            return 0
        rows = max(-(-self._column // columns), 1)
        self._column = 0
        return rows

    def _pause(self) -> None:
        columns, lines = self._size()
        prompt = _PROMPT if columns > len(_PROMPT) else "-- more --"[: columns - 1]
        self._write(f"\x1b[7m{prompt}\x1b[0m")
        key = self._read_key()
        self._write(f"\r{' ' * len(prompt)}\r")
        if key in ("q", "Q", "\x1b", "\x03", ""):
            self._lines_until_pause = None
            raise EnoughError
        if key in ("a", "A", "G"):
            self._lines_until_pause = None
        else:
            self._lines_until_pause = 1 if key in ("\r", "\n") else max(lines - 2, 1)


def _visible_length(text: str) -> int:
    """Return the number of characters of a text without escape codes."""
    if "\x1b" not in text:
        return len(text)
    import re

    return len(re.sub(r"\x1b\[[0-9;]*m", "", text))
