"""The squares in a typed text, joined or separate, and whether a move visits them.

Owns the parsing of typed words.  It must not know which texts match a move (matching.py).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

__all__ = ["Typed", "read_typed", "squares_of"]

_TAKES = re.compile(r"(?<=\d)x(?=[^\W\d])")
_JOINTS = re.compile(r"\W+")
_LETTERS = re.compile(r"[^\W\d_]*")
_MOST_GLUED = 200
"""Maximum length of a word that is split into squares."""


class Typed(Value):
    """The squares in a typed text.

    Attributes:
        before: The text before the first square, without blanks: usually the piece.
        squares: The squares, in order, case folded.
        strange: Words with digits, after the first square or beginning with one, that are
            neither squares nor names: squares that do not exist.
    """

    before: str
    squares: tuple[str, ...]
    strange: frozenset[str]

    def agrees(self, move: str, squares: Collection[str], names: Collection[str]) -> bool:
        """Whether a move's text begins with these squares and contains the other typed words."""
        path = squares_of(move, squares, names)
        return path[: len(self.squares)] == self.squares and self.strange <= set(
            _JOINTS.split(move.casefold())
        )


def squares_of(move: str, squares: Collection[str], names: Collection[str]) -> tuple[str, ...]:
    """The squares in a move's text, in order, case folded.

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
    Typed(before='p', squares=('a2', 'a3'), strange=frozenset())
    """
    known = {square.casefold() for square in squares}
    called = sorted((name.casefold() for name in names), key=len, reverse=True)
    before, strange = "", set()
    found: list[str] = []
    for part in _parts(text.casefold(), known, called):
        head, path = _cut(part, known, called)
        if not found:
            before += head if path else part
        number = any(map(str.isdigit, part)) and part not in called
        if number and not path and (found or _split(part[:_MOST_GLUED], known)[0]):
            strange.add(part)
        found += path
    return Typed(before, tuple(found), frozenset(strange))


def _parts(text: str, known: Collection[str], called: Sequence[str]) -> list[str]:
    """The words of a text; words that are not squares are also split at separators."""
    parts = []
    for word in text.split():
        if word in known or word in called:
            parts.append(word)
        else:
            parts += filter(None, _JOINTS.split(_TAKES.sub(" ", word)))
    # A piece whose name is also that of a square.
    return [
        part
        for part, after in zip(parts, [*parts[1:], ""], strict=False)
        if not (part in called and part in known and after in known)
    ]


def _cut(part: str, known: Collection[str], called: Sequence[str]) -> tuple[str, list[str]]:
    """Split a word into the (abbreviated) name of a piece and joined squares."""
    if len(part) > _MOST_GLUED:
        return "", []
    if part in known:
        return "", [part]
    letters = len(_LETTERS.match(part)[0])  # type: ignore[index]  # it matches anything
    heads = ["", *(name for name in called if part.startswith(name))]
    heads += [part[:count] for count in range(1, letters + 1)]
    best: tuple[str, list[str]] = "", []
    for head in heads:
        path, rest = _split(part[len(head) :], known)
        if path and not rest:
            return head, path
        if path and not best[1] and not any(map(str.isdigit, rest)):
            best = head, path
    return best


def _split(text: str, known: Collection[str]) -> tuple[list[str], str]:
    """The squares at the beginning of a text, as many characters as possible, and the rest."""
    longest = max(map(len, known), default=0)
    # For each length: the squares that the text's first characters consist of.
    paths: dict[int, list[str]] = {0: []}
    for end in range(1, len(text) + 1):
        for begin in range(max(0, end - longest), end):
            if begin in paths and text[begin:end] in known:
                paths[end] = [*paths[begin], text[begin:end]]
                break
    end = max(paths)
    return paths[end], text[end:]
