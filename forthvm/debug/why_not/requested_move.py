"""The move text of a query, and its similarity to the texts of generated moves.

Owns the comparison of move texts; it accepts the abbreviations of
forthvm/game/move_text/matching.py.  It must not know how moves are generated.
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

__all__ = ["RequestedMove", "Similarity"]

_SEPARATORS = frozenset({"-", "x", "on", "="})
_NOTATION_WORDS = frozenset({"pass", "partial"})
_SPLIT = re.compile(r"[\s\-=]+")


class Similarity(IntEnum):
    """How similar a move text is to the requested text."""

    OTHER = 0
    FIRST_PART = 1
    """The first parts have the same piece and squares; the other parts differ."""
    SQUARES = 2
    """All parts have the same squares."""
    SAME = 3
    """The texts differ only in separators, letter case and blanks."""
    EXACT = 4


class RequestedMove:
    """The requested move, parsed from its text.

    Attributes:
        text: The requested text with single blanks.
        squares: The squares that the text names, in order.
        piece: The type of the piece that the first part of the text moves; None if not named.
        player: The owner of a piece that the first part creates; None if not named.
        has_names: Whether the text names pieces or players; otherwise only squares are compared.
        unknown: The words of the text that are not names of this game.
        lacks_content: Whether the text consists only of separators and numbers.
    """

    def __init__(self, game: Game, text: str, legal: Collection[str] = ()) -> None:
        """Parse a text; the words in the move texts `legal` count as names."""
        self.text = " ".join(text.split())
        self._squares = {name.casefold(): name for name in reversed(game.positions)}
        self._names = {name.casefold() for name in game.names}
        self._known_names = game.known_names
        spelled = self._as_spelled(game)
        parts = parse_parts(spelled, game.known_names)
        first = parts[0] if parts else None
        is_move = first is not None and first.kind == "move"
        self.piece = first.name if first is not None and is_move else None
        self.player = first.player if first is not None else None
        self._first_part = self._first_part_of(spelled)
        words_of_moves = {word.casefold() for move in legal for word in move.split()}
        self.squares: tuple[str, ...] = ()
        self.unknown: tuple[str, ...] = ()
        self._find_squares_and_unknown_words(words_of_moves)
        self.has_names = any(word in self._names for word in self.text.casefold().split())
        self._plain = _plain(self.text)
        without_content = _SEPARATORS | {"partial"}
        self.lacks_content = all(
            word in without_content or word.isdigit() for word in self.text.casefold().split()
        )

    @property
    def required_similarity(self) -> Similarity:
        """The similarity that a move text must have to count as the requested move."""
        return Similarity.SAME if self.has_names or not self.squares else Similarity.SQUARES

    def similarity(self, move: str) -> Similarity:
        """Return the similarity of a move's text to the requested text."""
        if move == self.text:
            return Similarity.EXACT
        if _plain(move) == self._plain:
            return Similarity.SAME
        return self._similarity_of_squares(move) if self.squares else Similarity.OTHER

    def _similarity_of_squares(self, move: str) -> Similarity:
        squares = tuple(word for word in move.split() if word in self._known_names.squares)
        if not self.has_names:  # the move may have more squares: `e1 g1` is castling
            begins_with_squares = squares[: len(self.squares)] == self.squares
            return Similarity.SQUARES if begins_with_squares else Similarity.OTHER
        if self._first_part is None or self._first_part != self._first_part_of(move):
            return Similarity.OTHER
        return Similarity.SQUARES if squares == self.squares else Similarity.FIRST_PART

    def name_suggestion(self, game: Game) -> str:
        """Return a suggestion for the first unknown word that resembles a name; "" for none."""
        names = [*game.positions, *game.names]
        hints = (suggest(word, names) for word in self.unknown)
        return next((hint for hint in hints if hint), "")

    def _as_spelled(self, game: Game) -> str:
        """Return the text with names in the letter case of the game, if only that differs."""
        names = {*game.positions, *game.names}
        spellings: dict[str, list[str]] = {}
        for name in names:
            spellings.setdefault(name.casefold(), []).append(name)
        words = []
        for word in self.text.split():
            found = spellings.get(word.casefold(), ())
            words.append(found[0] if word not in names and len(found) == 1 else word)
        return " ".join(words)

    def _first_part_of(self, text: str) -> tuple[str | None, tuple[str, ...]] | None:
        """Return the name and the squares of the first part that moves or creates a piece."""
        for part in parse_parts(text, self._known_names):
            if part.kind in ("move", "create"):
                return part.name, part.squares
        return None

    def _find_squares_and_unknown_words(self, words_of_moves: set[str]) -> None:
        """Set `squares`, including squares written without blanks, and `unknown`."""
        squares: list[str] = []
        unknown: list[str] = []
        names = self._names | words_of_moves | _NOTATION_WORDS | _SEPARATORS
        for word in _SPLIT.split(self.text):
            key = word.casefold()
            if key in self._squares:
                squares.append(self._squares[key])
            elif not key or key.isdigit() or key in names:
                continue
            elif joined := self._split_squares(key):
                squares += joined
            else:
                unknown.append(word)
        self.squares, self.unknown = tuple(squares), tuple(unknown)

    def _split_squares(self, word: str) -> list[str]:
        """Split a word such as `d2d4` or `d2xd4` into squares; return [] if that is impossible."""
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
    """Return the words of a move text in lower case, without separators."""
    words = text.casefold().split()
    if len(words) > 1 and words[0] == "partial" and words[1].isdigit():
        words = words[2:]
    return tuple(word for word in words if word not in _SEPARATORS)
