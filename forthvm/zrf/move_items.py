"""The items of a move text in the notation of saved games (`.zsg`).

Owns the grammar of one line, and the comparison of a line with the texts of legal moves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

__all__ = [
    "Line",
    "Names",
    "matching_texts",
    "parse_line",
    "similar_texts",
    "texts_with_other_attributes",
]

_KEYWORDS = frozenset({"x", "=", "flip", "@"})
"""Words that begin an item."""
_JOINS = frozenset({"-", "x"})
"""The words between the two squares of a movement."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a game, which decide where a list of positions ends."""

    players: Collection[str]
    pieces: Collection[str]
    positions: Collection[str]


@dataclass(frozen=True, slots=True)
class Movement:
    """A piece goes from a square to another one; whether it captures there is not compared."""

    piece: str
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Placement:
    """A drop, or a piece that the move creates."""

    player: str
    piece: str
    position: str


@dataclass(frozen=True, slots=True)
class Removal:
    """A capture on a square that is named."""

    position: str


@dataclass(frozen=True, slots=True)
class Change:
    """A new type or a new owner."""

    name: str
    position: str


@dataclass(frozen=True, slots=True)
class Flip:
    """The piece goes to the next player."""

    position: str


@dataclass(frozen=True, slots=True)
class Attribute:
    """A new value of an attribute; its number is not compared, because it differs by version."""

    position: str
    value: str


Item = Movement | Placement | Removal | Change | Flip | Attribute


@dataclass(frozen=True, slots=True)
class Line:
    """A parsed move text.

    Attributes:
        items: What the move does.
        partial: Whether the same piece continues the turn.
        passes: Whether the text is `Pass`.
        text: The text.
    """

    items: frozenset[Item]
    partial: bool = False
    passes: bool = False
    text: str = field(default="", compare=False)

    @property
    def without_attributes(self) -> Line:
        """The same line without changes of attributes."""
        items = frozenset(item for item in self.items if not isinstance(item, Attribute))
        return replace(self, items=items)

    @property
    def movements(self) -> frozenset[Item]:
        """The movements and placements, by which similar moves are found."""
        return frozenset(item for item in self.items if isinstance(item, Movement | Placement))


def matching_texts(line: Line, texts: Iterable[str], names: Names) -> list[int]:
    """Return the indices of the legal move texts that mean the same move as a line.

    The name of a piece or position may look like another part of the grammar.  A text that cannot
    be parsed for this reason matches no line.  A text that equals the line comes before those that
    differ in what is not compared, such as the number of an attribute.
    """
    found = [(text, index) for index, text in enumerate(texts) if _parsed(text, names) == line]
    return [index for _, index in sorted(found, key=lambda one: one[0] != line.text)]


def texts_with_other_attributes(line: Line, texts: Iterable[str], names: Names) -> list[int]:
    """Return the indices of the legal move texts that differ from a line in attributes only."""
    return [
        index
        for index, text in enumerate(texts)
        if (parsed := _parsed(text, names)) is not None
        and parsed.without_attributes == line.without_attributes
    ]


def similar_texts(line: Line, texts: Iterable[str], names: Names) -> list[str]:
    """Return the legal move texts that are most like a line.

    They have a movement or placement in common with the line; if there are none, a piece that
    starts on the same square.
    """
    legal = [(text, parsed) for text in texts if (parsed := _parsed(text, names)) is not None]
    found = [text for text, other in legal if other.movements & line.movements]
    if found:
        return found
    starts = {item.start for item in line.items if isinstance(item, Movement)}
    return [
        text
        for text, other in legal
        if any(isinstance(item, Movement) and item.start in starts for item in other.items)
    ]


def _parsed(text: str, names: Names) -> Line | None:
    try:
        return parse_line(text, names)
    except ValueError:
        return None


def parse_line(text: str, names: Names) -> Line:
    """Return the items of a move text.

    Raises:
        ValueError: The text does not follow the grammar; the message says where.
    """
    words = text.split()
    if words == ["Pass"]:
        return Line(frozenset(), passes=True, text=text)
    partial = words[:1] == ["partial"]
    if partial:
        words = words[2:] if len(words) > 1 and words[1].isdecimal() else words[1:]
    if not words:
        raise ValueError("a move text without a move")
    return Line(frozenset(_Parser(words, names).items()), partial, text=text)


class _Parser:
    """Reads items from a list of words."""

    def __init__(self, words: Sequence[str], names: Names) -> None:
        self._words = words
        self._names = names
        self._next = 0
        self._found: list[Item] = []
        self._destination = ""
        """The square to which `=` without `on` refers: where the last movement or drop ended."""

    def items(self) -> list[Item]:
        """Return all items."""
        while self._next < len(self._words):
            word = self._words[self._next]
            if self._is_movement(self._next):
                piece, start, _, end = self._take(4, "a movement")
                self._found.append(Movement(piece, start, end))
                self._destination = end
            elif word == "x":
                self._found.append(Removal(self._take(2, "`x`")[1]))
            elif word == "=":
                self._change()
            elif word == "flip":
                self._found.append(Flip(self._take(2, "`flip`")[1]))
            elif word == "@":
                _, position, _, value = self._take(4, "`@`")
                self._found.append(Attribute(position, value))
            else:
                player, piece, position = self._take(3, "a piece that appears")
                self._check_placement(player, piece, position)
                if not self._found:  # a drop; the pieces that a move creates come after it
                    self._destination = position
                self._found.append(Placement(player, piece, position))
        return self._found

    def _change(self) -> None:
        name = self._take(2, "`=`")[1]
        if self._next == len(self._words) or self._words[self._next] != "on":
            if not self._destination:
                raise ValueError(f"`= {name}` names no square")
            self._found.append(Change(name, self._destination))
            return
        self._found.append(Change(name, self._take(2, "`on`")[1]))
        while self._next < len(self._words) and self._continues_positions():
            self._found.append(Change(name, self._take(1, "`on`")[0]))

    def _continues_positions(self) -> bool:
        """Whether the next word is one more position of a list after `on`."""
        word = self._words[self._next]
        return (
            word in self._names.positions
            and word not in _KEYWORDS
            and not (word in self._names.pieces and self._is_movement(self._next))
        )

    def _is_movement(self, at: int) -> bool:
        words = self._words
        return (
            at + 3 < len(words)
            and words[at + 2] in _JOINS
            and (words[at] not in _KEYWORDS or words[at] in self._names.pieces)
            and (words[at + 1] not in _KEYWORDS or words[at + 1] in self._names.positions)
        )

    def _check_placement(self, player: str, piece: str, position: str) -> None:
        for name, known, what in (
            (player, self._names.players, "player"),
            (piece, self._names.pieces, "piece"),
            (position, self._names.positions, "position"),
        ):
            if name not in known:
                raise ValueError(f"`{name}` is not a {what} of the game")

    def _take(self, count: int, what: str) -> Sequence[str]:
        taken = self._words[self._next : self._next + count]
        if len(taken) < count:
            raise ValueError(f"{what} is incomplete at the end of `{' '.join(self._words)}`")
        self._next += count
        return taken
