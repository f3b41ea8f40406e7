"""Properties of standard output (width, colour, characters), printing to it, and a status line.

Owns the style of the commands' output.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from forthvm.cli.streams import styled
from forthvm.core.text.tables import columned
from forthvm.core.text.visible import visible, visible_json
from forthvm.core.text.wording import wrapped

if TYPE_CHECKING:
    from forthvm.core.failure import ForthVMError

__all__ = [
    "Screen",
    "StatusLine",
    "ask_permission",
    "can_ask",
    "columns",
    "encodes",
    "error_columns",
    "print_json",
]

DEFAULT_COLUMNS = 80

_PROBE = "·…"
"""Characters that the output's encoding must have; otherwise only ASCII is printed."""


class Screen:
    """Standard output, with methods that wrap, number and colour text.

    Attributes:
        everything: Whether to show the internal state of scripts.
        terminal: Whether standard output is a terminal.
        input_is_terminal: Whether standard input is a terminal, so that the user can answer
            questions.
        colour: Whether colours are used.
        ascii: Whether only ASCII is printed.
    """

    def __init__(self, *, ascii_only: bool = False, everything: bool = False) -> None:
        """Reads the properties from the streams and the environment.

        Args:
            ascii_only: print ASCII characters only.
            everything: also show the internal state of scripts.
        """
        self.everything = everything
        self.terminal = sys.stdout.isatty()
        self.input_is_terminal = sys.stdin is not None and sys.stdin.isatty()
        dumb = os.environ.get("TERM", "") in {"dumb", "unknown"}
        self.colour = self.terminal and not dumb and not os.environ.get("NO_COLOR")
        self.ascii = ascii_only or not encodes(_PROBE)

    @property
    def width(self) -> int:
        """Width in columns, read each time since users resize windows."""
        return columns()

    @property
    def terminal_width(self) -> int | None:
        """Columns of the terminal; None if the output is not a terminal."""
        return self.width if self.terminal else None

    def print(self, text: str = "", *, end: str = "\n") -> None:
        """Prints a text and flushes."""
        print(text, end=end, flush=True)

    def print_styled(self, text: str) -> None:
        """Prints a line with parts that `dim` or `bold` has coloured."""
        stream = styled(sys.stdout) if self.colour else sys.stdout
        print(text, file=stream, flush=True)

    def print_lines(self, lines: Iterable[str]) -> None:
        """Prints lines."""
        self.print("\n".join(lines))

    def print_wrapped(self, text: str) -> None:
        """Prints running text, broken at blanks."""
        self.print_lines(wrapped(text, self.width))

    def fitted(self, lines: Iterable[str], indent: str) -> list[str]:
        """Returns lines indented; those wider than the terminal are broken at blanks.

        Lines that contain columns, that is several blanks in a row, are not broken.
        """
        found: list[str] = []
        for line in lines:
            text = line.lstrip()
            own_indent = indent + line[: len(line) - len(text)]
            if len(indent + line) <= (self.terminal_width or len(indent + line)) or "  " in text:
                found.append(indent + line if line else "")
            else:
                found += wrapped(text, self.width, first=own_indent, rest=f"{own_indent}  ")
        return found

    def report(self, error: ForthVMError, indent: str) -> list[str]:
        """Returns the lines of an error's report, indented, that fit on the terminal."""
        width = self.terminal_width
        report = error.report(None if width is None else width - len(indent))
        return self.fitted(report.splitlines(), indent)

    def dim(self, text: str) -> str:
        """Returns a text in a fainter colour, if colours are used."""
        return f"\x1b[2m{visible(text)}\x1b[0m" if self.colour else visible(text)

    def bold(self, text: str) -> str:
        """Returns a text in bold, if colours are used."""
        return f"\x1b[1m{visible(text)}\x1b[0m" if self.colour else visible(text)

    def numbered(self, entries: Sequence[str], *, first: int = 1) -> list[str]:
        """Returns entries with their numbers, in columns filled downwards."""
        if not entries:
            return []
        digits = len(str(first + len(entries) - 1))
        cells = [f"{at:{digits}} {entry}" for at, entry in enumerate(entries, start=first)]
        return columned(cells, self.width)


class StatusLine:
    """A line on standard error that shows progress; without a terminal it prints nothing.

    A `with` statement clears the line at its end.
    """

    def __init__(self) -> None:
        self._width = error_columns()

    def __enter__(self) -> StatusLine:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def __call__(self, text: str) -> None:
        """Replaces the text of the line; "" clears it."""
        if self._width is not None:
            stream = styled(sys.stderr)
            stream.write(f"\r{visible(text)[: self._width - 1]}\x1b[K")
            stream.flush()

    def clear(self) -> None:
        """Clears the line."""
        self("")


def columns() -> int:
    """Returns the width of the output: the variable COLUMNS, else the terminal's width, else 80.

    `shutil.get_terminal_size` does the same, but importing `shutil` loads three compression
    libraries.
    """
    requested = os.environ.get("COLUMNS", "")
    if requested.isdecimal() and int(requested):
        return int(requested)
    try:
        return os.get_terminal_size().columns or DEFAULT_COLUMNS
    except OSError:  # standard output is closed or not a terminal
        return DEFAULT_COLUMNS


def error_columns() -> int | None:
    """Returns the width for reports on standard error; None if it is not a terminal."""
    return columns() if sys.stderr is not None and sys.stderr.isatty() else None


def encodes(text: str) -> bool:
    """Whether the encoding of standard output has all characters of a text."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def can_ask() -> bool:
    """Whether there is a user who sees standard error and can answer."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def ask_permission(*lines: str) -> bool:
    """Prints lines, and asks the user to allow what they name; without a terminal, False."""
    if not can_ask():
        return False
    print(*map(visible, lines), "Allow this? [y/N] ", sep="\n", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().casefold() in {"y", "yes"}


def print_json(data: object) -> None:
    """Prints one JSON document."""
    import json

    text = json.dumps(data, indent=2, ensure_ascii=False)
    if not encodes(text):
        text = json.dumps(data, indent=2)
    print(visible_json(text))
