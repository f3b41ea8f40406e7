"""Finds the squares in a typed text, joined or separate, and compares them with a move's squares.

matching.py decides which texts match a move.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

__all__ = ["Typed", "read_typed", "squares_of"]

_CAPTURE_SIGN = re.compile(r"(?<=\d)x(?=[^\W\d])")
_SEPARATORS = re.compile(r"\W+")
_LETTERS = re.compile(r"[^\W\d_]*")
_MAX_JOINED = 200
"""Maximum length of a word that is split into squares."""


@dataclass(frozen=True)
class Typed:
    """The squares in a typed text.

    Attributes:
        before: The text before the first square, without blanks: usually the piece.
        squares: The squares, in order, case folded.
        unknown: Words that look like squares but are not squares of the board.  Such a word has
            digits, is not a name, and begins with a square or follows one.
    """

    before: str
    squares: tuple[str, ...]
    unknown: frozenset[str]

    def agrees(self, move: str, squares: Collection[str], names: Collection[str]) -> bool:
        """Return whether a move's squares begin with `squares`, and its text contains `unknown`."""
        move_squares = squares_of(move, squares, names)
        return move_squares[: len(self.squares)] == self.squares and self.unknown <= set(
            _SEPARATORS.split(move.casefold())
        )


def squares_of(move: str, squares: Collection[str], names: Collection[str]) -> tuple[str, ...]:
    """Return the squares in a move's text, in order, case folded.

    >>> squares_of("A1 b2 - b3 x b3", {"a1", "b2", "b3"}, {"A1"})
    ('b2', 'b3', 'b3')
    """
    words = move.split()
    following = [*words[1:], ""]
    return tuple(
        word.casefold()
        for word, after in zip(words, following, strict=False)
        if word in squares and not (word in names and after in squares)
    )


def read_typed(text: str, squares: Collection[str], names: Collection[str]) -> Typed:
    """Parse a typed text.

    >>> read_typed("Pa2-a3", {"a2", "a3"}, {"Pawn"})
    Typed(before='p', squares=('a2', 'a3'), unknown=frozenset())
    """
    known_squares = {square.casefold() for square in squares}
    folded_names = sorted((name.casefold() for name in names), key=len, reverse=True)
    before, unknown = "", set()
    found: list[str] = []
    for part in _parts(text.casefold(), known_squares, folded_names):
        name_part, part_squares = _name_and_squares(part, known_squares, folded_names)
        if not found:
            before += name_part if part_squares else part
        may_be_square = any(map(str.isdigit, part)) and part not in folded_names
        if (
            may_be_square
            and not part_squares
            and (found or _split(part[:_MAX_JOINED], known_squares)[0])
        ):
            unknown.add(part)
        found += part_squares
    return Typed(before, tuple(found), frozenset(unknown))


def _parts(text: str, known_squares: Collection[str], folded_names: Sequence[str]) -> list[str]:
    """Return the words of a text; words that are not squares are also split at separators."""
    parts = []
    for word in text.split():
        if word in known_squares or word in folded_names:
            parts.append(word)
        else:
            parts += filter(None, _SEPARATORS.split(_CAPTURE_SIGN.sub(" ", word)))
    # Drop a word before a square if it is the name of a piece and of a square.
    return [
        part
        for part, after in zip(parts, [*parts[1:], ""], strict=False)
        if not (part in folded_names and part in known_squares and after in known_squares)
    ]


def _name_and_squares(
    part: str, known_squares: Collection[str], folded_names: Sequence[str]
) -> tuple[str, list[str]]:
    """Split a word into the beginning of a piece's name, which may be "", and joined squares."""
    if len(part) > _MAX_JOINED:
        return "", []
    if part in known_squares:
        return "", [part]
    letters = len(_LETTERS.match(part)[0])  # type: ignore[index]  # it matches anything
    name_parts = ["", *(name for name in folded_names if part.startswith(name))]
    name_parts += [part[:count] for count in range(1, letters + 1)]
    best: tuple[str, list[str]] = "", []
    for name_part in name_parts:
        part_squares, remaining = _split(part[len(name_part) :], known_squares)
        if part_squares and not remaining:
            return name_part, part_squares
        if part_squares and not best[1] and not any(map(str.isdigit, remaining)):
            best = name_part, part_squares
    return best


def _split(text: str, known_squares: Collection[str]) -> tuple[list[str], str]:
    """Return the squares at the beginning of a text, and the text after them.

    The squares cover as many characters as possible.
    """
    longest = max(map(len, known_squares), default=0)
    # If the first n characters consist of squares, paths[n] contains these squares.
    paths: dict[int, list[str]] = {0: []}
    for end in range(1, len(text) + 1):
        for begin in range(max(0, end - longest), end):
            if begin in paths and text[begin:end] in known_squares:
                paths[end] = [*paths[begin], text[begin:end]]
                break
    end = max(paths)
    return paths[end], text[end:]
