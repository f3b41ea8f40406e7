"""Stack comments of words, from the source: `: name ( before -- after )`.

This file finds and parses the comments.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from forthvm.check.analysis.analyser import Counts

from .lexer import COMMENT, NAME, lex

if TYPE_CHECKING:
    from forthvm.core.loading.source import SourceTable
    from forthvm.core.words.dictionary import DictionaryCopy, Word

__all__ = ["Comments", "Declared", "read_comment"]

_ANY_NUMBER = ("..", "…")  # first characters of names that stand for any number of cells


@dataclass(frozen=True)
class Declared:
    """A stack comment.

    Attributes:
        takes: Names of the arguments, the top of the stack last; of alternatives (`a | 0`), the
            longest one.
        leaves: Names of the results, a tuple for each alternative (`|`).
        text: The text of the comment.
        position: Source position of the comment.
        counted: Whether the comment states the numbers of cells; `( ... n -- )` does not.
        fewer: For each alternative of the arguments, by how many it is shorter than the longest.
    """

    takes: tuple[str, ...]
    leaves: tuple[tuple[str, ...], ...]
    text: str
    position: int = 0
    counted: bool = True
    fewer: tuple[int, ...] = (0,)

    @property
    def counts(self) -> Counts | None:
        """The numbers of cells; None if the comment does not state them."""
        if not self.counted:
            return None
        leaves = (len(names) + fewer for names in self.leaves for fewer in self.fewer)
        return Counts(len(self.takes), tuple(leaves))


def read_comment(text: str) -> Declared | None:
    """Parse the text between the brackets; return None if it is not a stack comment."""
    before, dashes, after = text.partition("--")
    if not dashes or "--" in after:
        return None
    alternatives = [_names(alternative) for alternative in before.split("|")]
    takes = max(alternatives, key=len)
    fewer = tuple(len(takes) - len(names) for names in alternatives)
    leaves = tuple(_names(alternative) for alternative in after.split("|"))
    counted = not any(_is_open(name) for names in (*alternatives, *leaves) for name in names)
    return Declared(takes, leaves, " ".join(text.split()), counted=counted, fewer=fewer)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for part in text.split() if (name := part.strip(",")))


def _is_open(name: str) -> bool:
    """Whether a name stands for any number of cells: `..`, `...`, `...rest` or `x*`."""
    return name.startswith(_ANY_NUMBER) or (len(name) > 1 and name.endswith("*"))


class Comments:
    """The stack comments of the words of one VM."""

    def __init__(self, image: DictionaryCopy, table: SourceTable) -> None:
        self._image = image
        self._table = table
        self._comments_by_xt: dict[int, Declared | None] = {}

    def of(self, word: Word) -> Declared | None:
        """Return the stack comment of a word."""
        if word.cfa not in self._comments_by_xt:
            self._comments_by_xt[word.cfa] = self._read(word)
        return self._comments_by_xt[word.cfa]

    def _read(self, word: Word) -> Declared | None:
        position = self._image.source(word.cfa)
        text = self._table.text_at(position)
        if text is None:
            return None
        lexed = lex(text.data)
        index = lexed.index_by_offset.get(position - text.base)
        if index is None or lexed.tokens[index].kind != NAME:
            return None
        name = lexed.tokens[index]
        for token in lexed.tokens[index + 1 : index + 3]:  # another comment may precede it
            on_later_line = b"\n" in text.data[name.start : token.start]
            if token.kind != COMMENT or (on_later_line and not token.in_definition):
                return None
            comment = self._comment(text.decode(token.text), token.opener)
            if comment is not None:
                return replace(comment, position=text.base + token.start)
        return None

    @staticmethod
    def _comment(text: str, opener: bytes) -> Declared | None:
        """Parse a comment; in a comment that begins with a backslash, find `( ... )`."""
        if opener == b"(":
            return read_comment(text)
        start, end = text.find("( "), text.find(" )")
        if start >= 0 and end > start:
            return read_comment(text[start + 2 : end])
        return None
