"""The interface of the screen on which the REPL prints; the command line implements it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Screen"]


class Screen(Protocol):
    """The screen that the REPL prints on."""

    @property
    def width(self) -> int:
        """Width in columns, read each time since users resize windows."""

    @property
    def colour(self) -> bool:
        """Whether colours are shown."""

    @property
    def ascii(self) -> bool:
        """Whether only ASCII is printed."""

    def write(self, text: str) -> None:
        """Print a part of a line, or several lines."""

    def fresh_line(self) -> None:
        """Begin a new line unless the cursor is at the start of a line."""

    def paint(self, kind: str, text: str) -> str:
        """Return a text in the colours of its kind (see theme.py), if colours are shown."""

    def table(self, rows: Sequence[Sequence[str]]) -> list[str]:
        """Return the lines of a table, with the last column wrapped."""

    def columned(self, cells: Sequence[str]) -> list[str]:
        """Return the lines of cells arranged in columns."""

    def wrap(self, text: str) -> list[str]:
        """Return the lines of a text that is wrapped at blanks."""
