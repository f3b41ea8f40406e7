"""The syntax of SGF: files as game trees of nodes with properties.

Owns the parser.  It reads piece by piece, so memory is bounded by the longest game.  A damaged game
is reported with its place, and the parser goes on with the next one.  Text between games is
ignored, unless it looks like a part of a game.  Delegates the meaning of properties to sgf.py.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forthvm.core.location import Location

from .recorded import MAX_CHARACTERS, RecordError, in_utf8

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

__all__ = ["Node", "Tree", "Value", "read_trees"]

_CHUNK = 1 << 16
"""The maximum number of bytes of a line that are read at once."""
_MAX_UTF8 = 4
_LATIN = "latin-1"
_MAX_WORD = 64
"""The maximum length of names of properties at the end of such a part."""
_MAX_SHOWN = 500
"""The maximum length of a line that is shown in messages."""
_MAX_NESTED = 10_000
"""The maximum depth of variations in each other; in many files each one contains the next."""
_BEGIN = re.compile(
    r"\((?=\s*(?:;|$))|;(?=\s*[BW]\s*\[[a-z]{2}\])"
    r"|(?:^|(?<=\)))\s*(?:\((?=\s*(?:\)|[A-Z][A-Za-z]*\s*\[))|;(?=\s*[A-Z]+\[))"
)
"""What begins a game: a bracket before a node.

A move, wherever it is, is damage.  So are, at the start of a line and after a game, where there is
no prose, a bracket before a property or without anything in it, and a node without a bracket.
"""
_SURE_BEGIN = re.compile(r"\(;\s*(?:FF|GM)\[\d+\]")
"""What begins a game wherever it begins a line: these properties are only in the first node, and an
open value would have ended at the bracket."""
_TOKEN = re.compile(r"\s+|[A-Za-z]+|[();\[]")
_VALUE = re.compile(r"[^\\\]]+")
_CHARSET = re.compile(rb"CA\[([\w.:-]{1,40})\]")
_CHARSETS = re.compile(r"(utf|iso|iso8859|cp|windows|koi8|gb|big5|shift|euc)[\w-]*|latin-?1|ascii")
"""The names of encodings that are accepted, in lower case."""


@dataclass(slots=True)
class Value:
    """A value of a property, with its place."""

    text: str
    location: Location


@dataclass(slots=True)
class Node:
    """A node: its properties by name, each with its values."""

    location: Location
    properties: dict[str, list[Value]] = field(default_factory=dict)


@dataclass(slots=True)
class Tree:
    """A sequence of nodes, and the variations behind it; the first one is the main line.

    Attributes:
        nodes: The nodes.
        variations: The continuations.
        line: The line of the file on which it begins.
        error: What is wrong with a game; its nodes end there.
    """

    line: int
    nodes: list[Node] = field(default_factory=list)
    variations: list[Tree] = field(default_factory=list)
    error: RecordError | None = None


def read_trees(file: BinaryIO, name: str) -> Iterator[Tree]:
    """Yield the games of a file, one after the other; a damaged game has an `error`.

    Args:
        file: A binary file, in UTF-8, UTF-16 with a mark, the encoding that the property CA names,
            or Latin-1.
        name: The name of the file in messages.
    """
    parser = _Parser(name)
    file = in_utf8(file)
    encoding = _LATIN
    number, column = 1, 0
    while data := file.readline(_CHUNK):
        if not data.endswith(b"\n"):
            data = _completed(data, file)
        charset = _CHARSET.search(data)
        if charset is not None:
            encoding = _encoding(charset[1].decode()) or encoding
        text = _decoded(data, encoding)
        ended = False
        for tree in parser.read(text.removeprefix("\ufeff"), number, column):
            yield tree
            ended = True
        if ended and not (charset and parser.is_in_game):  # the next game has its own encoding
            encoding = _LATIN
        column += len(text)
        if data.endswith(b"\n"):
            number, column = number + 1, 0
    yield from parser.end()


def _completed(data: bytes, file: BinaryIO) -> bytes:
    """Return a part of a line with the rest of the word, character or CR LF in which it ends."""
    for _ in range(_MAX_WORD):
        if not (data[-1:].isalpha() or data.endswith(b"\r")):
            break
        data += file.read(1)
    for _ in range(_MAX_UTF8 - 1):
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            if error.reason == "unexpected end of data":
                data += file.read(1)
    return data


def _decoded(data: bytes, encoding: str) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode(encoding, "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _encoding(name: str) -> str | None:
    """Return the encoding with a name; None if there is none."""
    if not _CHARSETS.fullmatch(name.lower()):
        return None
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None


class _Parser:
    """Reads the text of a file piece by piece; returns the games that have ended."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._text, self._number, self._column = "", 1, 0
        self._line = ""  # for messages
        self._begin()

    def _begin(self) -> None:
        self._root: Tree | None = None
        self._open: list[Tree] = []  # the game, and the open variations
        self._property: list[Value] | None = None  # the values of the last property
        self._property_place: Location | None = None
        self._value: list[str] | None = None  # the parts of an open value
        self._value_place: Location | None = None
        self._is_escaped = False  # the value goes on behind a backslash
        self._nested = 0  # the depth, also of a damaged game
        self._characters = 0

    @property
    def is_in_game(self) -> bool:
        """Whether a game has begun and not ended."""
        return self._root is not None

    def read(self, text: str, number: int, column: int) -> Iterator[Tree]:
        """Read a line, or a part of it that begins at a column; yield the games that have ended."""
        self._text, self._number, self._column = text, number, column
        self._line = text.rstrip("\n") if column == 0 and len(text) <= _MAX_SHOWN else ""
        if self._root is not None and column == 0 and _SURE_BEGIN.match(text):
            yield from self.end()
        at = 0
        while at < len(text):
            if self._root is None:
                at = self._find_game(at)
                continue
            begun = at
            try:
                at = self._read_value(at) if self._value is not None else self._read_token(at)
                self._characters += at - begun
                if self._open and self._characters > MAX_CHARACTERS:
                    raise self._error(f"the game is longer than {MAX_CHARACTERS} characters", begun)
            except RecordError as error:
                self._damage(error)
                at = max(at, begun + 1)
            if self._root is not None and self._nested == 0:
                yield self._root
                self._begin()

    def end(self) -> Iterator[Tree]:
        """End the file, or a game that has no end; yield the game that was open."""
        if self._root is not None:
            what = "the game has no end" if self._value is None else "the value has no `]`"
            place = self._value_place if self._value is not None else None
            if self._root.error is None:
                self._root.error = RecordError(
                    what, location=place or Location(self._name, self._root.line, 1)
                )
            yield self._root
            self._begin()

    # --- tokens -----------------------------------------------------------------------------

    def _find_game(self, at: int) -> int:
        found = _BEGIN.search(self._text, at)
        if found is None:
            return len(self._text)
        self._root = Tree(self._number)
        self._open, self._nested = [self._root], 1
        if found[0].endswith(";"):
            self._damage(self._error("expected `(` before `;`", found.end() - 1))
        return found.end()

    def _read_token(self, at: int) -> int:
        found = _TOKEN.match(self._text, at)
        if found is None:
            raise self._error(f"unexpected `{self._text[at]}`", at)
        token = found[0]
        if token.isspace():
            pass
        elif token == "[":
            self._begin_value(at)
        elif token == "(":
            self._nested += 1  # also in a damaged game, to find its end
            self._begin_variation(at)
        elif token == ")":
            self._nested -= 1
            self._end_variation(at)
        elif self._open:
            self._end_property()
            if token == ";":
                self._open[-1].nodes.append(Node(self._place(at)))
            else:
                self._begin_property(token, at)
        return found.end()

    def _begin_property(self, name: str, at: int) -> None:
        nodes = self._open[-1].nodes
        if not nodes and name.isupper():  # the `;` is missing
            nodes.append(Node(self._place(at)))
        if not nodes:
            raise self._error(f"expected `;` before `{name}`", at, len(name))
        # Small letters do not count, as in FF[3]: CoPyright.  Some programs have no others.
        key = name.upper() if name.islower() else "".join(filter(str.isupper, name))
        self._property = nodes[-1].properties.setdefault(key, [])
        self._property_place = self._place(at, len(name))

    def _end_property(self) -> None:
        if self._property is not None and not self._property:
            raise RecordError("the property has no value", location=self._property_place)
        self._property = None

    def _begin_value(self, at: int) -> None:
        self._value, self._value_place = [], self._place(at)
        if self._open and self._property is None:
            raise self._error("a value without a property", at)

    def _read_value(self, at: int) -> int:
        assert self._value is not None
        if self._is_escaped:
            self._is_escaped = False
            if self._open and self._text[at] != "\n":
                self._value.append(self._text[at])
            return at + 1
        found = _VALUE.match(self._text, at)
        if found is not None:
            if self._open:
                self._value.append(found[0])
            return found.end()
        if self._text[at] == "\\":
            self._is_escaped = True
            return at + 1
        if self._property is not None and self._value_place is not None:
            self._property.append(Value("".join(self._value), self._value_place))
        self._value = None
        return at + 1

    def _begin_variation(self, at: int) -> None:
        if not self._open:
            return
        self._end_property()
        if not self._open[-1].nodes:
            raise self._error("a variation before the first node", at)
        if self._nested > _MAX_NESTED:
            raise self._error(f"variations are nested more than {_MAX_NESTED} deep", at)
        variation = Tree(self._number)
        self._open[-1].variations.append(variation)
        self._open.append(variation)

    def _end_variation(self, at: int) -> None:
        if not self._open:
            return
        self._end_property()
        if not self._open[-1].nodes:
            what = "variation is empty" if len(self._open) > 1 else "game has no node"
            raise self._error(f"the {what}", at)
        self._open.pop()

    # --- errors -----------------------------------------------------------------------------

    def _place(self, at: int, length: int = 1) -> Location:
        return Location(self._name, self._number, self._column + at + 1, self._line, length)

    def _error(self, message: str, at: int, length: int = 1) -> RecordError:
        return RecordError(message, location=self._place(at, length))

    def _damage(self, error: RecordError) -> None:
        """Note an error; what follows of the game is skipped."""
        assert self._root is not None
        self._root.error = self._root.error or error
        self._open, self._property = [], None
