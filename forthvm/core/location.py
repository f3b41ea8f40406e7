"""Values that describe where an error occurred: source locations, unfinished calls, game contexts.

This file owns the fields only.
"""

from __future__ import annotations

from .record import Record

__all__ = ["Frame", "GameContext", "Location", "blanks_of"]


def blanks_of(text: str) -> str:
    """Return a text with every character except tabs replaced by a blank."""
    return "".join(c if c == "\t" else " " for c in text)


class Location(Record):
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


class Frame(Record):
    """One open call, that is a call that has not returned.

    Attributes:
        address: Address of the calling cell.
        word: Name of the word that contains the cell; None for a call by the outer interpreter.
        location: Source location of the calling token.
    """

    address: int
    word: str | None
    location: Location | None


class GameContext(Record):
    """Names of the player to move, and of the piece and board position whose moves are generated.

    A field is None if its name is unknown.
    """

    player: str | None = None
    piece: str | None = None
    position: str | None = None
