"""Where something happened: value objects shared by errors, the source map and reports.

This file owns the shapes only; it must not know files, the VM or how a report looks.
"""

from __future__ import annotations

from .value import Value

__all__ = ["Frame", "Location", "Scan", "blanks_of"]


def blanks_of(text: str) -> str:
    """A text with its tabs, and all else as blanks."""
    return "".join(c if c == "\t" else " " for c in text)


class Location(Value):
    """One token of a loaded text.

    Attributes:
        file: Name of the text as shown to people.
        line: Line number, from 1.
        column: Column in characters, from 1.
        text: The whole source line, without its end.
        length: Characters of the token, at least 1.
    """

    file: str
    line: int
    column: int
    text: str = ""
    length: int = 1

    @property
    def indent(self) -> str:
        """`text` before the column, tabs kept, all else as blanks.

        It puts a caret under the token whatever the width of a tab.
        """
        return blanks_of(self.text[: self.column - 1])

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Frame(Value):
    """One open call: the cell that made it, the word that holds it, its place in the source.

    `word` is None for a call made by the outer interpreter from the text itself.
    """

    address: int
    word: str | None
    location: Location | None


class Scan(Value):
    """What move generation was looking at, by name; None where there is nothing."""

    player: str | None = None
    piece: str | None = None
    position: str | None = None
