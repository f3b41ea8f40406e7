"""The names of a game in files with tests (`.test`, `.perft`).

Owns which words of a test name something in the game, and which game a test belongs to.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.testing.checks import UNCLEAR
from forthvm.testing.reader import read_text

from .documents import TEST_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from forthvm.testing.reader import Item, Statement

    from .documents import Document
    from .workspace import Workspace

__all__ = [
    "MOVES",
    "TestWord",
    "game_of",
    "in_tests",
    "occurrences_in_test",
    "relative_name",
    "test_words",
]

MOVES = ("play", "moves", "legal", "refused")
"""The keywords of statements that contain moves."""
_EXPECTED = ("turn", "empty", "variable", "win", "loss", "draw", "no")
"""The words after `expect` that name nothing in the game."""
_PARTS = re.compile(r"[-=]|(?<=\d)x(?=[^\W\d])")
"""What separates the squares of an abbreviated move, such as `c3-e5xg7`."""
_ENTRY = re.compile(r"\[-?\d+\]$")


@dataclass(frozen=True, slots=True)
class TestWord:
    """A name in a test.

    Attributes:
        text: The name.
        start: The offset of its start.
        is_move: Whether it is a part of a move.
    """

    text: str
    start: int
    is_move: bool = False

    @property
    def end(self) -> int:
        """The offset of its end."""
        return self.start + len(self.text)


def game_of(document: Document) -> Path | None:
    """Return the script or rule file that a file with tests belongs to; None if it is missing."""
    path = read_text(document.path, document.text, lambda _error: None).program
    return path.resolve() if path != document.path else None


def test_words(document: Document) -> Iterator[TestWord]:
    """Yield the names in the tests of a document, in order."""
    suite = read_text(document.path, document.text, lambda _error: None)
    for case in suite.cases:
        for statement in case.statements:
            for item in _names_in(statement):
                text = _ENTRY.sub("", item.text)
                place = item.location
                start = document.offset_in_line(place.line - 1, place.column - 1)
                yield TestWord(text, start, statement.keyword in MOVES)


def _names_in(statement: Statement) -> Iterator[Item]:
    """Yield the words of a statement that may name something in the game."""
    keyword = statement.keyword
    if keyword in ("board", "perft") or (keyword, statement.text) == ("expect", "board"):
        return  # drawings have marks, not names
    for number, item in enumerate(statement.located_items):
        words = item.words
        if keyword == "expect" and not number and words[0].text in _EXPECTED:
            del words[0]
        elif keyword == "moves" and [word.text for word in words[:2]] == ["in", "order"]:
            del words[:2]
        elif keyword == "refused":
            words = [*_without_because(words)]
        yield from words


def _without_because(words: list[Item]) -> Iterator[Item]:
    texts = [word.text for word in words]
    middle = texts.index("because") if "because" in texts else len(texts)
    yield from words[:middle]
    if texts[middle + 1 :] and texts[-1] not in UNCLEAR:
        yield from words[middle + 1 :]


def occurrences_in_test(
    document: Document, name: str, known: Iterable[str] = ()
) -> list[tuple[int, int]]:
    """Return the offsets of the occurrences of a name in a file with tests.

    Args:
        document: The file.
        name: The name.
        known: The names that a part of a move can be as a whole, such as `white-O-O`.
    """
    found = []
    whole = frozenset(known)
    for word in test_words(document):
        if word.text == name:
            found.append((word.start, word.end))
        elif word.is_move and name in word.text and word.text not in whole:
            start = word.start
            for part in _PARTS.split(word.text):
                at = document.text.index(part, start)
                if part == name:
                    found.append((at, at + len(part)))
                start = at + len(part)
    return found


def in_tests(
    workspace: Workspace, files: Iterable[Document], name: str, known: Iterable[str] = ()
) -> Iterator[tuple[Document, int, int]]:
    """Yield the occurrences of a name in the tests of games.

    Args:
        workspace: The open documents and the folders of the editor.
        files: The files of the games.
        name: The name.
        known: As for `occurrences_in_test`.
    """
    paths = {file.path for file in files}
    for test in workspace.files_beside(paths, TEST_SUFFIXES):
        if name in test.text and game_of(test) in paths:
            for start, end in occurrences_in_test(test, name, known):
                yield test, start, end


def relative_name(path: Path, folder: Path) -> str:
    """Return the name by which a file with tests in a folder names a game."""
    return os.path.relpath(path, folder).replace(os.sep, "/")
