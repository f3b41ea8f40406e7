"""Values that describe where an error occurred: source locations, open calls, board positions.

This file owns the fields only.  It must not know files, the VM or the layout of reports.
"""

from __future__ import annotations

from .value import Value

__all__ = ["Frame", "GameContext", "Location", "blanks_of"]


def blanks_of(text: str) -> str:
    """Return a text with every character except tabs replaced by a blank."""
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
        """The blanks and tabs that align a caret with the token."""
        return blanks_of(self.text[: self.column - 1])

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Frame(Value):
    """One open call: the calling cell, the word that contains it, and its source location.

    `word` is None for a call made by the outer interpreter from the text itself.
    """

    address: int
    word: str | None
    location: Location | None


class GameContext(Value):
    """The player to move, and the piece and board position whose moves are generated, by name.

    None if unknown.
    """

    player: str | None = None
    piece: str | None = None
    position: str | None = None
