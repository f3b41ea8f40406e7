"""Open documents: text, lines, tokens, and the conversion of positions.

Owns the conversion between offsets and positions of the protocol, whose columns count UTF-16 code
units unless the client asks for others.  It must not know the analysis of scripts.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from forthvm.syntax import Kind, read_structure, tokenize
from forthvm.syntax.tokens import STRINGS

from .stack import local_effects

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.syntax import Structure, Token

__all__ = ["RULE_FILE_SUFFIX", "TEST_SUFFIXES", "Document", "token_at", "tokens_of"]

RULE_FILE_SUFFIX = ".zrf"
TEST_SUFFIXES = (".test", ".perft")
_RULE_FILE_LANGUAGE = "zrf"
_TEST_LANGUAGE = "forthvm-test"
_BYTES_PER_UNIT = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
_CODECS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


class Document:
    """One version of a text; another version is another object.

    Attributes:
        uri: The document's identifier in the editor.
        path: The resolved path of its file, which need not exist.
        text: The text; line ends are LF.
        version: The editor's number of the version; None for a text that is not open.
        encoding: The unit of columns in positions: utf-8, utf-16 or utf-32.
        language: The editor's identifier of the language, which counts for names without suffix.
    """

    def __init__(
        self, uri: str, path: Path, text: str, version: int | None = None, encoding: str = "utf-16"
    ) -> None:
        self.uri = uri
        self.path = path
        self.text = text.replace("\r\n", "\n")
        self.version = version
        self.encoding = encoding
        self.language = ""

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
    def starts(self) -> list[int]:
        """The offsets at which lines begin."""
        starts = [0]
        while end := self.text.find("\n", starts[-1]) + 1:
            starts.append(end)
        return starts

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
        return local_effects(self.tokens)

    # --- positions -------------------------------------------------------------------

    def offset(self, position: lsp.Position) -> int:
        """Return the offset of a position; positions outside the text are moved into it."""
        if position.line >= len(self.starts):
            return len(self.text)
        start, end = self.line_range(position.line)
        return start + self._characters(self.text[start:end], position.character)

    def position(self, offset: int) -> lsp.Position:
        """Return the position of an offset."""
        line = bisect_right(self.starts, offset) - 1
        return lsp.Position(line, self._units(self.text[self.starts[line] : offset]))

    def range(self, start: int, end: int) -> lsp.Range:
        """Return the range between two offsets."""
        return lsp.Range(self.position(start), self.position(end))

    def whole(self) -> lsp.Range:
        """Return the range of the text."""
        return self.range(0, len(self.text))

    def line_range(self, line: int) -> tuple[int, int]:
        """Return the offsets of the start and end of a line, without its line end."""
        start = self.starts[line]
        end = self.starts[line + 1] - 1 if line + 1 < len(self.starts) else len(self.text)
        return start, end

    def offset_in_line(self, line: int, column: int) -> int:
        """Return the offset of a line and a column in characters, both from 0."""
        if line >= len(self.starts):
            return len(self.text)
        start, end = self.line_range(max(line, 0))
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


@lru_cache(maxsize=64)
def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the tokens of a script; cached, since requests for a document share its text."""
    return tuple(tokenize(text))


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
