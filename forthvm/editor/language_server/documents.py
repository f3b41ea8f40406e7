"""Open documents: text, lines, tokens, and the conversion of positions.

Owns the conversion between offsets and positions of the protocol, whose columns count UTF-16 code
units unless the client asks for others.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from forthvm.syntax import Kind, read_structure, tokenize
from forthvm.syntax.tokens import STRINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.syntax import Structure, Token

__all__ = [
    "LINE_END",
    "RULE_FILE_SUFFIX",
    "TEST_SUFFIXES",
    "Document",
    "comment_of",
    "token_at",
    "tokens_of",
]

RULE_FILE_SUFFIX = ".zrf"
TEST_SUFFIXES = (".test", ".perft")
_RULE_FILE_LANGUAGE = "zrf"
_TEST_LANGUAGE = "forthvm-test"
_BYTES_PER_UNIT = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
LINE_END = re.compile(r"[\r\n]")
_CODECS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


class Document:
    """One version of a text; another version is another object.

    Attributes:
        uri: The document's identifier in the editor.
        path: The resolved path of its file, which need not exist.
        text: The text; LF ends a line, and in scripts a lone CR is a blank.
        version: The editor's number of the version; None for a text that is not open.
        encoding: The unit of columns in positions: utf-8, utf-16 or utf-32.
        language: The editor's identifier of the language, which counts for names without suffix.
    """

    def __init__(  # noqa: PLR0913 - all of them describe the version
        self,
        uri: str,
        path: Path,
        text: str,
        version: int | None = None,
        encoding: str = "utf-16",
        *,
        language: str = "",
    ) -> None:
        self.uri = uri
        self.path = path
        self.language = language
        text = text.replace("\r\n", "\n")
        if self.is_test_file or (self.is_rule_file and "\n" not in text):
            text = text.replace("\r", "\n")  # as their readers do
        self.text = text
        self.version = version
        self.encoding = encoding

    @property
    def is_rule_file(self) -> bool:
        """Whether the document is a rule file of Zillions."""
        suffix = self.path.suffix.lower()
        return suffix == RULE_FILE_SUFFIX or (not suffix and self.language == _RULE_FILE_LANGUAGE)

    @property
    def is_test_file(self) -> bool:
        """Whether the document contains tests, not a script."""
        suffix = self.path.suffix.lower()
        return suffix in TEST_SUFFIXES or (not suffix and self.language == _TEST_LANGUAGE)

    @cached_property
    def data(self) -> bytes:
        """The text as the bytes of a file."""
        return self.text.encode("utf-8", "replace")

    @cached_property
    def _is_ascii(self) -> bool:
        return self.text.isascii()

    @cached_property
    def starts(self) -> list[int]:
        """The offsets at which the lines of the editor begin, which a lone CR ends, too."""
        return [0, *(match.end() for match in LINE_END.finditer(self.text))]

    @cached_property
    def source_starts(self) -> list[int]:
        """The offsets at which the lines of the language begin."""
        if "\r" not in self.text:
            return self.starts
        return [0, *(n + 1 for n, character in enumerate(self.text) if character == "\n")]

    @property
    def tokens(self) -> Sequence[Token]:
        """The tokens of a script; none in a file with tests."""
        return () if self.is_test_file else tokens_of(self.text)

    @cached_property
    def structure(self) -> Structure:
        """The nesting of a script."""
        return read_structure("" if self.is_test_file else self.text)

    @cached_property
    def effects(self) -> dict[str, str]:
        """The stack comments of the definitions in a script, by name."""
        return {
            token.text: comment
            for index, token in enumerate(self.tokens)
            if token.kind is Kind.NAME and (comment := comment_of(self.tokens, index))
        }

    # --- positions -------------------------------------------------------------------

    def offset(self, position: lsp.Position) -> int:
        """Return the offset of a position; positions outside the text are moved into it."""
        if position.line >= len(self.starts):
            return len(self.text)
        start, end = _line(self.starts, position.line, len(self.text))
        return start + self._characters(self.text[start:end], position.character)

    def position(self, offset: int) -> lsp.Position:
        """Return the position of an offset."""
        line = bisect_right(self.starts, offset) - 1
        start = self.starts[line]
        if self._is_ascii:  # quick also in very long lines
            return lsp.Position(line, min(offset, len(self.text)) - start)
        return lsp.Position(line, self._units(self.text[start:offset]))

    def range(self, start: int, end: int) -> lsp.Range:
        """Return the range between two offsets."""
        return lsp.Range(self.position(start), self.position(end))

    def whole(self) -> lsp.Range:
        """Return the range of the text."""
        return self.range(0, len(self.text))

    def source_line(self, line: int) -> tuple[int, int]:
        """Return the offsets of the start and end of a line of the language, without its end."""
        return _line(self.source_starts, line, len(self.text))

    def offset_in_line(self, line: int, column: int) -> int:
        """Return the offset of a line of the language and a column in characters, both from 0."""
        if line >= len(self.source_starts):
            return len(self.text)
        start, end = self.source_line(max(line, 0))
        return min(start + max(column, 0), end)

    def _characters(self, line: str, units: int) -> int:
        """Return the number of characters of a line that a number of units covers."""
        if line.isascii() or self.encoding == "utf-32":
            return min(units, len(line))
        data = line.encode(_CODECS[self.encoding], "replace")
        covered = data[: units * _BYTES_PER_UNIT[self.encoding]]
        return len(covered.decode(_CODECS[self.encoding], "ignore"))

    def _units(self, text: str) -> int:
        if text.isascii() or self.encoding == "utf-32":
            return len(text)
        size = len(text.encode(_CODECS[self.encoding], "replace"))
        return size // _BYTES_PER_UNIT[self.encoding]


def _line(starts: list[int], line: int, length: int) -> tuple[int, int]:
    return starts[line], starts[line + 1] - 1 if line + 1 < len(starts) else length


@lru_cache(maxsize=64)
def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the tokens of a script; cached, since requests for a document share its text."""
    return tuple(tokenize(text))


def comment_of(tokens: Sequence[Token], index: int) -> str:
    """Return the stack comment after the name `tokens[index]`, `( before -- after )`; or ""."""
    for token in tokens[index + 1 : index + 3]:
        if token.kind is not Kind.COMMENT:
            break
        if token.text.startswith("(") and "--" in token.text:
            return " ".join(token.text.split())
    return ""


def token_at(document: Document, offset: int) -> Token | None:
    """Return the name at an offset or ending there; None in comments, strings and blanks."""
    tokens = document.tokens
    index = bisect_right(tokens, offset, key=lambda token: token.start) - 1
    if index < 0:
        return None
    token = tokens[index]
    if offset > token.end or token.kind in (Kind.COMMENT, Kind.STRING):
        return None
    if token.kind is Kind.WORD and token.text in STRINGS and offset > token.end:
        return None
    return token
