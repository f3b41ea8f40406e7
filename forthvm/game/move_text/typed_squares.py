"""The squares that a typed text names, glued or not, and whether a move goes over them.

Owns taking typed words apart.  It must not know which texts name a move (matching.py).
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
"""Characters of a word without blanks that is taken apart into squares."""


class Typed(Value):
    """What a text says in squares.

    Attributes:
        before: What stands before the first square, without blanks: the piece, as a rule.
        squares: The squares, in order, case folded.
        strange: Words with digits, behind the first square or beginning with one, that are
            neither squares nor names: squares that there are not.
    """

    before: str
    squares: tuple[str, ...]
    strange: frozenset[str]

    def agrees(self, move: str, squares: Collection[str], names: Collection[str]) -> bool:
        """Whether a move's text begins with these squares and has whatever else was typed."""
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
    """Take a typed text apart.

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
    """The words of a text; words that are not squares are also cut at what joins squares."""
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
    """A word as a piece's name or the beginning of one, and glued squares; letters may follow."""
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
    """Squares that a text begins with, the way that leaves least of it, and what is left."""
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
