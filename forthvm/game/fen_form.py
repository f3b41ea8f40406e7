"""What the lines of text contain that describe the positions of a game, such as FEN.

short_notation.py reads it from the statements `fen` of a `.notation` file; fen.py writes and reads
positions with it.
"""

from __future__ import annotations

__all__ = ["FenField", "FenForm"]


class FenField:
    """A field of the line.

    Attributes:
        kind: The keyword after `fen`.
        words: The words after the keyword: the letters of the players for `turn`, the types that
            mean one piece, two and so on for `hand`, the name of the variable for `number`, `limit`
            and `count`, the type without a letter and then letters and types for `squares`.
        entries: For `rights`, `target`, `hand` and `squares`: the text of an entry, with its
            player, piece type ("" for a hand or squares) and position ("" for squares), in the
            order in which they are written.
        first: For `rights`: texts that are only read, with a player, two piece types, and pairs of
            a square and the text of an entry.  A text means the entry of the first of these squares
            that has a piece of the first type, if none before it has one of the second type.
    """

    def __init__(self, kind: str, words: tuple[str, ...]) -> None:
        self.kind = kind
        self.words = words
        self.entries: list[tuple[str, str, str, str]] = []
        self.first: dict[str, tuple[str, str, str, list[tuple[str, str]]]] = {}


class FenForm:
    """How the positions of a game are written.

    Attributes:
        letters: The text of a piece by player and type.
        pieces: Player and type by text; some texts are only read.
        fields: The fields of the line.
    """

    def __init__(self) -> None:
        self.letters: dict[tuple[str, str], str] = {}
        self.pieces: dict[str, tuple[str, str]] = {}
        self.fields: list[FenField] = []

    @property
    def name(self) -> str:
        """What players call the lines: SFEN in games with pieces in hand, else FEN."""
        return "SFEN" if any(each.kind == "hand" for each in self.fields) else "FEN"

    @property
    def separator(self) -> str:
        """What is between the fields: a colon if pieces are written as lists of squares."""
        return ":" if any(each.kind == "squares" for each in self.fields) else " "
