"""The output of a REPL.  Owns the interface only; the command line implements it."""

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
        """Whether output is restricted to ASCII."""

    def write(self, text: str) -> None:
        """Print a part of a line, or several lines."""

    def fresh_line(self) -> None:
        """Begin a new line unless the cursor is at the start of one."""

    def paint(self, kind: str, text: str) -> str:
        """A text in the colours of its kind (theme.py), where colours are shown."""

    def table(self, rows: Sequence[Sequence[str]]) -> list[str]:
        """Rows with aligned columns, the last one wrapped."""

    def columned(self, cells: Sequence[str]) -> list[str]:
        """Cells in as many columns as fit."""

    def wrap(self, text: str) -> list[str]:
        """Running text, with lines broken at blanks."""
