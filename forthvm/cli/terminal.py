"""What the output can show: its width, colour, and characters.

Owns the looks of the command line.  It must not know games.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence

from forthvm.cli.streams import styled
from forthvm.core.text.tables import columned
from forthvm.core.text.visible import visible
from forthvm.core.text.wording import wrapped

__all__ = ["Screen", "columns", "encodes", "error_columns"]

DEFAULT_COLUMNS = 80

_PROBE = "·…"


class Screen:
    """Standard output as the commands see it."""

    def __init__(self, *, ascii_only: bool = False, everything: bool = False) -> None:
        """Looks at the streams and the environment.

        Args:
            ascii_only: print nothing but ASCII.
            everything: show what scripts keep for themselves, too.
        """
        self.everything = everything
        self.terminal = sys.stdout.isatty()
        self.asks = sys.stdin is not None and sys.stdin.isatty()
        dumb = os.environ.get("TERM", "") in {"dumb", "unknown"}
        self.colour = self.terminal and not dumb and not os.environ.get("NO_COLOR")
        self.ascii = ascii_only or not encodes(_PROBE)

    @property
    def width(self) -> int:
        """Columns, asked anew each time: people resize."""
        return columns()

    @property
    def limit(self) -> int | None:
        """Columns of the terminal; None where the output is not one."""
        return self.width if self.terminal else None

    def say(self, text: str = "", *, end: str = "\n") -> None:
        """Prints."""
        print(text, end=end, flush=True)

    def say_styled(self, text: str) -> None:
        """Prints a line with parts that `dim` or `bold` has coloured."""
        stream = styled(sys.stdout) if self.colour else sys.stdout
        print(text, file=stream, flush=True)

    def lines(self, lines: Iterable[str]) -> None:
        """Prints lines."""
        self.say("\n".join(lines))

    def prose(self, text: str) -> None:
        """Prints running text, broken at blanks."""
        self.lines(wrapped(text, self.width))

    def dim(self, text: str) -> str:
        """Less important, where colour is allowed."""
        return f"\x1b[2m{visible(text)}\x1b[0m" if self.colour else visible(text)

    def bold(self, text: str) -> str:
        """More important, where colour is allowed."""
        return f"\x1b[1m{visible(text)}\x1b[0m" if self.colour else visible(text)

    def numbered(self, entries: Sequence[str], *, first: int = 1) -> list[str]:
        """Entries with their numbers, in columns filled downwards."""
        if not entries:
            return []
        digits = len(str(first + len(entries) - 1))
        cells = [f"{at:{digits}} {entry}" for at, entry in enumerate(entries, start=first)]
        return columned(cells, self.width)


def columns() -> int:
    """Width of the output: COLUMNS, or what the terminal says, or 80.

    As `shutil` has it, which loads three compression libraries before it can tell.
    """
    wished = os.environ.get("COLUMNS", "")
    if wished.isdecimal() and int(wished):
        return int(wished)
    try:
        return os.get_terminal_size().columns or DEFAULT_COLUMNS
    except OSError:  # closed, or no terminal
        return DEFAULT_COLUMNS


def error_columns() -> int | None:
    """Width for reports on standard error; None where that is not a terminal."""
    return columns() if sys.stderr is not None and sys.stderr.isatty() else None


def encodes(text: str) -> bool:
    """Whether standard output can show a text."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
