"""The move text of a query, and its similarity to the texts of moves.

Owns this comparison, with the abbreviations of forthvm/game/move_text/matching.py.  It must not
know how moves are generated.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING

from forthvm.core.errors.report import suggest
from forthvm.game.move_text.notation import parse_parts

if TYPE_CHECKING:
    from collections.abc import Collection

    from forthvm.game import Game

__all__ = ["Goal", "Likeness"]

_SEPARATORS = frozenset({"-", "x", "on", "="})
_OWN_WORDS = frozenset({"pass", "partial"})
_SPLIT = re.compile(r"[\s\-=]+")


class Likeness(IntEnum):
    """How similar a text is to the wanted one."""

    OTHER = 0
    FIRST = 1
    """Its first part has the same squares; the rest is different."""
    WAY = 2
    """Its first part has the same squares, and so has the rest."""
    SAME = 3
    """It is the same except for separators, letter case and blanks."""
    EXACT = 4


class Goal:
    """The wanted move, parsed from its text.

    Attributes:
        text: The text with single blanks.
        squares: The squares that it names, in order.
        piece: The piece that moves in its first part; None if not named.
        player: The owner of a piece that its first part creates.
        named: Whether it names pieces or players; otherwise only its squares are compared.
        unknown: Its words that are not names of this game.
        says_nothing: Whether it consists of separators and numbers.
    """

    def __init__(self, game: Game, text: str, legal: Collection[str] = ()) -> None:
        """Parse a text; words in the texts of `legal` count as names."""
        self.text = " ".join(text.split())
        self._squares = {name.casefold(): name for name in reversed(game.positions)}
        self._names = {name.casefold() for name in game.names}
        self._vocabulary = game.vocabulary
        parts = parse_parts(self.text, game.vocabulary)
        first = parts[0] if parts else None
        moves = first is not None and first.kind == "move"
        self.piece = first.name if first is not None and moves else None
        self.player = first.player if first is not None else None
        self._first = self._first_way(self.text)
        known = {word.casefold() for each in legal for word in each.split()}
        self.squares: tuple[str, ...] = ()
        self.unknown: tuple[str, ...] = ()
        self._read(known)
        self.named = any(word in self._names for word in self.text.casefold().split())
        self._plain = _plain(self.text)
        empty = _SEPARATORS | {"partial"}
        self.says_nothing = all(
            word in empty or word.isdigit() for word in self.text.casefold().split()
        )

    @property
    def wanted(self) -> Likeness:
        """What is as good as the text itself."""
        return Likeness.SAME if self.named or not self.squares else Likeness.WAY

    def likeness(self, move: str) -> Likeness:
        """How near a move's text comes to it."""
        if move == self.text:
            return Likeness.EXACT
        if _plain(move) == self._plain:
            return Likeness.SAME
        return self._by_squares(move) if self.squares else Likeness.OTHER

    def _by_squares(self, move: str) -> Likeness:
        squares = tuple(word for word in move.split() if word in self._vocabulary.squares)
        if not self.named:  # more may follow: `e1 g1` for castling
            same = squares[: len(self.squares)] == self.squares
            return Likeness.WAY if same else Likeness.OTHER
        if self._first is None or self._first != self._first_way(move):
            return Likeness.OTHER
        return Likeness.WAY if squares == self.squares else Likeness.FIRST

    def near_names(self, game: Game) -> str:
        """Return a hint at names that look like those that are unknown, "" if there are none."""
        names = [*game.positions, *game.names]
        hints = (suggest(word, names) for word in self.unknown)
        return next((hint for hint in hints if hint), "")

    def _first_way(self, text: str) -> tuple[str | None, tuple[str, ...]] | None:
        for part in parse_parts(text, self._vocabulary):
            if part.kind in ("move", "create"):
                return part.name, part.squares
        return None

    def _read(self, known: set[str]) -> None:
        """Find the squares, those that are written together too, and what is neither."""
        squares: list[str] = []
        unknown: list[str] = []
        names = self._names | known | _OWN_WORDS | _SEPARATORS
        for word in _SPLIT.split(self.text):
            key = word.casefold()
            if key in self._squares:
                squares.append(self._squares[key])
            elif not key or key.isdigit() or key in names:
                continue
            elif glued := self._glued(key):
                squares += glued
            else:
                unknown.append(word)
        self.squares, self.unknown = tuple(squares), tuple(unknown)

    def _glued(self, word: str) -> list[str]:
        """Squares written together (`d2d4`, `d2xd4`), none if it is something else."""
        squares: list[str] = []
        while word:
            if squares:
                word = word.removeprefix("x")
            sizes = (n for n in range(len(word), 0, -1) if word[:n] in self._squares)
            size = next(sizes, 0)
            if not size:
                return []
            squares.append(self._squares[word[:size]])
            word = word[size:]
        return squares


def _plain(text: str) -> tuple[str, ...]:
    words = text.casefold().split()
    if len(words) > 1 and words[0] == "partial" and words[1].isdigit():
        words = words[2:]
    return tuple(word for word in words if word not in _SEPARATORS)
