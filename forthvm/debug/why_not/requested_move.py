"""The move text of a query, and its similarity to the texts of generated moves.

Owns the comparison of move texts.  All spellings of a move are equal: with or without the name of
the piece that stands on its first square, blanks, separators and capital letters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from forthvm.core.errors.report import suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from forthvm.game import Game, Piece, Position

__all__ = ["RequestedMove", "Similarity"]

_SEPARATORS = frozenset({"-", "x", "on", "="})
_NOTATION_WORDS = frozenset({"pass", "partial"})
_SIGNS = re.compile(r"([-=])")


class Similarity(IntEnum):
    """How similar a move text is to the requested text."""

    OTHER = 0
    FIRST_PART = 1
    """The first parts have the same piece and squares; the other parts differ."""
    SQUARES = 2
    """The move begins with the requested words, or with the requested squares if the text names no
    piece after the first square: `e1 g1` and `king e1 - g1` are castling."""
    SAME = 3
    """The texts differ only in spelling."""
    EXACT = 4


@dataclass(frozen=True)
class _Words:
    """The words of a move text, without separators.

    Attributes:
        names: The words before the first square: the piece and, for a drop, its owner.
        others: The words from the first square on.
        squares: The squares among them.
    """

    names: tuple[str, ...]
    others: tuple[str, ...]
    squares: tuple[str, ...]


class RequestedMove:
    """The requested move, parsed from its text.

    Attributes:
        text: The requested text with single blanks.
        squares: The squares that the text names, in order.
        piece: The type of the piece that the first part of the text moves; None if not named.
        owner: The owner of this piece; None if not named.
        player: The owner of a piece that the first part creates; None if not named.
        has_names: Whether the text names pieces or players.
        unknown: The words of the text that are not names of this game.
        lacks_content: Whether the text consists only of separators and numbers.
    """

    def __init__(self, position: Position, text: str, legal: Collection[str] = ()) -> None:
        """Parse a text; the words in the move texts `legal` count as names."""
        game = position.game
        self.text = " ".join(text.split())
        self._position = position
        self._names = game._loaded.names
        self._index: Collection[str] = game._loaded.position_index.keys()
        self._by_key = {name.casefold(): name for name in (*self._names, *self._index)}
        self._squares = {name.casefold(): name for name in reversed(game.positions)}
        self._others = _NOTATION_WORDS | {
            word.casefold() for move in legal for word in move.split()
        }
        self.unknown: tuple[str, ...] = ()
        spelled = self._spelled()
        self._words = self._words_of(spelled)
        self.squares = self._words.squares
        self.has_names = any(word in self._names for word in spelled)
        self.lacks_content = all(
            word in _SEPARATORS or word.casefold() == "partial" or word.isdigit()
            for word in self.text.split()
        )
        self.piece, self.owner, self.player = self._first_piece(spelled)

    def similarity(self, move: str) -> Similarity:
        """Return the similarity of a move's text to the requested text."""
        if move == self.text:
            return Similarity.EXACT
        own, other = self._words, self._words_of(move.split())
        if not self._agree(other.names):
            return Similarity.OTHER
        if own.others == other.others:
            return Similarity.SAME
        if not own.squares:
            return Similarity.OTHER
        only_squares = len(own.others) == len(own.squares)
        if own.others == other.others[: len(own.others)] or (
            only_squares and own.squares == other.squares[: len(own.squares)]
        ):
            return Similarity.SQUARES
        has_target = len(own.others) > 1
        is_same_start = has_target and own.others[:2] == other.others[:2]
        return Similarity.FIRST_PART if is_same_start else Similarity.OTHER

    def name_suggestion(self, game: Game) -> str:
        """Return a suggestion for the first unknown word that resembles a name; "" for none."""
        names = [*game.positions, *game._loaded.names]
        hints = (suggest(word, names) for word in self.unknown)
        return next((hint for hint in hints if hint), "")

    # --- words ------------------------------------------------------------------------------

    def _spelled(self) -> list[str]:
        """Return the words with separators, spelled as in the game; set `unknown`."""
        words: list[str] = []
        unknown: list[str] = []
        for word in self._split():
            known = self._known(word)
            if known is not None:
                words.append(known)
            elif not word.isdigit():
                joined = self._split_squares(word.casefold()) or self._abbreviated(word, words)
                words += joined or [word]
                if not joined:
                    unknown.append(word)
        abbreviation = self._abbreviation(words[0], words[1:2]) if words else None
        if abbreviation is not None and words[0] in unknown:  # `R a1 a4`
            unknown.remove(words[0])
            words[0] = abbreviation
        self.unknown = tuple(unknown)
        return words

    def _split(self) -> Iterator[str]:
        """Yield the words; signs are words of their own unless they belong to a name."""
        for word in self.text.split():
            parts = [word] if self._known(word) else [*filter(None, _SIGNS.split(word))]
            while parts:
                ends = range(len(parts), 1, -1)
                end = next((end for end in ends if self._known("".join(parts[:end]))), 1)
                yield "".join(parts[:end])
                parts = parts[end:]

    def _known(self, word: str) -> str | None:
        """Return a word as spelled in the game or its notation; None if it is unknown there."""
        if word in self._names or word in self._index:
            return word
        key = word.casefold()
        if key in _SEPARATORS:
            return key
        if key in self._by_key:
            return self._by_key[key]
        return word if key in self._others else None

    def _abbreviated(self, word: str, before: Sequence[str]) -> list[str]:
        """Split a first word such as `Ra1`: the beginning of the piece's name, and squares."""
        for end in range(1, len(word)) if not before else ():
            squares = self._split_squares(word[end:].casefold())
            piece = self._abbreviation(word[:end], squares)
            if piece is not None:
                return [piece, *squares]
        return []

    def _abbreviation(self, text: str, squares: Sequence[str]) -> str | None:
        """Return the type of the piece on the first square if its name begins with `text`."""
        piece = self._piece_on(squares[0]) if squares else None
        if piece is None or not piece.type.casefold().startswith(text.casefold()):
            return None
        return piece.type

    def _piece_on(self, square: str) -> Piece | None:
        return self._position.board[square] if square in self._index else None

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

    def _words_of(self, words: Sequence[str]) -> _Words:
        if len(words) > 1 and words[0].casefold() == "partial" and words[1].isdigit():
            words = words[2:]
        words = [word for word in self._with_captures_last(words) if word not in _SEPARATORS]
        squares = [  # a word before a square can be the name of a piece and that of a square
            word in self._index and not (word in self._names and after in self._index)
            for word, after in zip(words, [*words[1:], ""], strict=False)
        ]
        first = squares.index(True) if any(squares) else 0
        return _Words(
            tuple(words[:first]),
            tuple(word.casefold() for word in words[first:]),
            tuple(word for word, is_square in zip(words, squares, strict=True) if is_square),
        )

    def _with_captures_last(self, words: Sequence[str]) -> Sequence[str]:
        """Return the words with captures that precede the moving piece at the end."""
        end = 0
        while len(words) > end + 1 and words[end] == "x" and words[end + 1] in self._index:
            end += 2
        if not end or len(words) == end or words[end] == "-":  # in `x a1 - a2`, `x` is a piece
            return words
        return [*words[end:], *words[:end]]

    def _agree(self, names: tuple[str, ...]) -> bool:
        """Whether the names before the first square of a move end with those of the text."""
        own = self._words.names
        if self.owner is not None:
            own = own[-1:]  # texts of moves do not name the owner
        return not own or own == names[-len(own) :]

    # --- the first piece --------------------------------------------------------------------

    def _first_piece(self, spelled: Sequence[str]) -> tuple[str | None, str | None, str | None]:
        """Return the piece that moves, its owner, and the owner of a piece that is created."""
        names, squares = self._words.names, self.squares
        if not squares or not names:
            return None, None, None
        owner = names[-2] if len(names) > 1 and names[-2] in self._position.game.players else None
        after = spelled[spelled.index(squares[0]) + 1 :][:1]
        moves = bool(after) and (after[0] in self._index or after[0] == "-")
        if owner is None and after == ["x"]:
            moves = True
        if not moves:
            return None, None, owner
        is_piece = names[-1] in self._position._loaded.known_names.pieces
        return names[-1] if is_piece else None, owner, None
