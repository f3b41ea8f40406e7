"""Move texts in the notation of the original Axiom engine: their parts, and those of a history.

Owns the part of the grammar of move texts that does not depend on a position.  The source of the
grammar is section c of axiom-observed.md, a note on the original's behaviour.  The parsed parts are
used only for display and completion; the VM writes the texts and generates the legal moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.record import Record

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["KnownNames", "Part", "parse_parts"]


class Part(Record):
    """One part of a move text.

    Attributes:
        kind: `move`, `capture`, `create`, `change`, `attribute`, `pass`, `partial`, or `text` for
            words that the script wrote.
        text: The words of the part.
        name: The piece that moves or is created, the new type or owner of a change, or the move
            type of a `partial`.
        player: The owner of a created piece.
        squares: The squares in the part, in order.
        takes: Whether the part contains `x`: a capture, or a move to an occupied square.
    """

    kind: str
    text: str
    name: str | None = None
    player: str | None = None
    squares: tuple[str, ...] = ()
    takes: bool = False

    def __str__(self) -> str:
        return self.text


class KnownNames(Record):
    """The names that occur in move texts of a game."""

    squares: Collection[str]
    pieces: Collection[str]
    players: Collection[str]


def parse_parts(text: str, names: KnownNames) -> tuple[Part, ...]:
    """Parse a move text; words that match no rule become parts of kind `text`.

    >>> names = KnownNames({"a1", "b2", "c3"}, {"Man", "King"}, {"Red"})
    >>> for part in parse_parts("Man a1 - c3 x b2 = King", names):
    ...     print(part.kind, part.name, part.squares)
    move Man ('a1', 'c3')
    capture None ('b2',)
    change King ()
    """
    words = text.split()
    parts: list[Part] = []
    unmatched: list[str] = []  # words that match no rule
    start = 0
    while start < len(words):
        part, length = _part(words, start, names)
        if part is None:
            unmatched.append(words[start])
            start += 1
            continue
        if unmatched:
            parts.append(Part("text", " ".join(unmatched)))
            unmatched = []
        parts.append(part)
        start += length
    if unmatched:
        parts.append(Part("text", " ".join(unmatched)))
    return tuple(parts)


def _part(  # noqa: PLR0911 - one return for each form of a part
    words: list[str], start: int, names: KnownNames
) -> tuple[Part | None, int]:
    """Return the part that begins at a word, and the part's number of words."""
    first = words[start]
    following = words[start + 1 : start + 4]
    following += [""] * (3 - len(following))
    if first in names.pieces and following[0] in names.squares and following[1] in ("-", "x"):
        if following[2] in names.squares:
            text = " ".join(words[start : start + 4])
            squares = (following[0], following[2])
            return Part("move", text, first, squares=squares, takes=following[1] == "x"), 4
    elif first in names.players and following[0] in names.pieces and following[1] in names.squares:
        text = " ".join(words[start : start + 3])
        return Part("create", text, following[0], player=first, squares=(following[1],)), 3
    elif first == "x" and following[0] in names.squares:
        return Part("capture", f"x {following[0]}", squares=(following[0],), takes=True), 2
    elif first == "=" and following[0]:
        return _change(words, start, names)
    elif first == "@" and following[0] in names.squares:  # square, number and value
        text = " ".join(words[start : start + 4])
        return Part("attribute", text, squares=(following[0],)), 4
    elif first == "partial" and following[0].isdigit():
        return Part("partial", f"partial {following[0]}", following[0]), 2
    elif first == "Pass":
        return Part("pass", first), 1
    return None, 0


def _change(words: list[str], start: int, names: KnownNames) -> tuple[Part, int]:
    """Parse `= Name`, `= Name on a1`, or `= Name on a1 b2`, which changes several pieces."""
    end = start + 2
    if end + 1 < len(words) and words[end] == "on" and words[end + 1] in names.squares:
        end += 1
    squares = []
    while end < len(words) and words[end] in names.squares:
        squares.append(words[end])
        end += 1
    text = " ".join(words[start:end])
    return Part("change", text, words[start + 1], squares=tuple(squares)), end - start


HOST_PASS = -1
"""Index in a history entry for the pass of a player without moves."""


class HistoryEntry(Record):
    """One ply of a history.

    Attributes:
        player: The player that moved.
        text: The move's text.
        index: Index in the list of legal moves, -1 for the pass of a player without moves.

    >>> HistoryEntry("White", "a2 - a3", 0)
    HistoryEntry(player='White', text='a2 - a3', index=0)
    """

    player: str
    text: str
    index: int

    def __str__(self) -> str:
        return self.text
