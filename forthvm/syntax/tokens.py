r"""The lexer of ForthScript: splits a text into tokens as the outer interpreter does.

Owns the table of words that read further text (names, comments, strings), and the kind of each
token.  It follows the peculiarities of the dialect: `WORD` skips a blank and then leading
delimiters, so `( )` extends to the next parenthesis, and `\` alone on a line comments out the line
after it.  Among the words that a script defines, it recognizes only the defining words: those whose
definition contains `CREATE` or `<BUILDS`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from forthvm.core._primitives import PRIMITIVES

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

__all__ = ["CLOSERS", "DEFINING", "SECTIONS", "STRINGS", "Kind", "Token", "tokenize"]


class Kind(StrEnum):
    """The kind of a token."""

    COMMENT = "comment"
    STRING = "string"
    """Text up to and including a quote; the token before is the word that reads it."""
    DEFINING = "defining"
    NAME = "name"
    """A name that is being defined."""
    QUOTED = "quoted"
    """A name that another word reads without executing it: after `'`, LOAD, IS."""
    CONTROL = "control"
    SECTION = "section"
    """A word that opens or closes a section, such as `{pieces` and `pieces}`."""
    ITEM = "item"
    """A word in braces inside a section, such as `{piece}`."""
    NUMBER = "number"
    KERNEL = "kernel"
    """A primitive: a word implemented in C."""
    WORD = "word"


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a text.

    Attributes:
        kind: Kind of the token.
        text: Characters of the token.
        start: Index of the first character.
        end: Index after the last character.
        compiling: Whether the token is inside a definition.
        complete: False if the text ends before the closing delimiter, or before the name that
            the word reads.
    """

    kind: Kind
    text: str
    start: int
    end: int
    compiling: bool = False
    complete: bool = True


SECTIONS = (
    "board",
    "directions",
    "players",
    "symmetries",
    "turn-order",
    "moves",
    "pieces",
    "move-priorities",
    "board-setup",
)
_OPENERS = {f"{{{name}": name for name in SECTIONS}
CLOSERS = {f"{name}}}": name for name in SECTIONS}

_WORD = re.compile(r"[^ \t\n\r\f\v]+")
_NUMBER = re.compile(r"[+-]?\d+\Z|[+-]?(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?\Z")
_ITEM = re.compile(r"\{[^{}\s]+\}\Z")

_COMMENTS = {"(": ")", "\\": "\n"}
STRINGS = frozenset({'S"', '."', 'ABORT"', '^"'})
CONTROL = frozenset(
    [
        "IF",
        "ELSE",
        "ENDIF",
        "THEN",
        "BEGIN",
        "UNTIL",
        "WHILE",
        "REPEAT",
        "DO",
        "LOOP",
        "+LOOP",
        "LEAVE",
        "EXIT",
        "RECURSE",
        "DOES>",
        "IMMEDIATE",
        "[",
        "]",
        "I",
        "J",
        "K",
        "verify",
    ]
)
DEFINING = frozenset(
    [
        ":",
        "VARIABLE",
        "CONSTANT",
        "CREATE",
        "<BUILDS",
        "DEFER",
        "FVARIABLE",
        "FCONSTANT",
        "TIMER",
        "VOCABULARY",
        "[]",
        "{moves",
        "{player}",
        "{neutral}",
        "{piece}",
        "{position}",
        "{direction}",
        "{variable}",
        "{array}",
        "{carray}",
        "{move-type}",
    ]
)
# Words that read an existing name; those of ALWAYS_NAME_READERS do so inside definitions, too.
NAME_READERS = frozenset(
    [
        "'",
        "LOAD",
        "FORGET",
        "$if-known",
        "{search-engine}",
        "{turn}",
        "{for-player}",
        "{of-type}",
        "{move}",
        "{move-priority}",
        "{moves}",
        "{drops}",
    ]
)
ALWAYS_NAME_READERS = frozenset({"[']", "[COMPILE]", "ASCII", "IS"})
# A definition that contains one of these is a defining word.
_CREATING = frozenset({"CREATE", "<BUILDS"})
_PRIMITIVE_NAMES = frozenset(name for name, _, _, _, _ in PRIMITIVES)


def tokenize(text: str, *, compiling: bool = False) -> Iterator[Token]:
    """Split a text into tokens, in order, without the blanks between them.

    Args:
        text: The source.
        compiling: Whether the text begins inside a definition.

    >>> [token.kind.value for token in tokenize(": sq ( n -- n ) DUP * ;")]
    ['defining', 'name', 'comment', 'kernel', 'kernel', 'defining']
    """
    end = 0
    defined = ""  # name of the definition that was begun last
    definers: set[str] = set()  # defining words that the text defines
    find = _WORD.search
    while (found := find(text, end)) is not None:
        word = found.group()
        start, end = found.span()
        if word in _COMMENTS:
            end, complete = _delimited(text, end, _COMMENTS[word])
            yield Token(Kind.COMMENT, text[start:end], start, end, compiling, complete)
        elif word in STRINGS:
            yield Token(Kind.WORD, word, start, end, compiling)
            start, (end, complete) = min(end + 1, len(text)), _delimited(text, end, '"')
            yield Token(Kind.STRING, text[start:end], start, end, compiling, complete)
        elif _reads_name(word, definers, compiling=compiling):
            kind = _kind(word)
            name = find(text, end)
            yield Token(kind, word, start, end, compiling, name is not None)
            if word == ":":
                compiling = True
                defined = name.group() if name is not None else ""
            if name is not None:
                end = name.end()
                is_definition = word in DEFINING or word in definers
                name_kind = Kind.NAME if is_definition else Kind.QUOTED
                yield Token(name_kind, name.group(), name.start(), end, compiling)
        else:
            yield Token(_kind(word), word, start, end, compiling)
            if word in (";", "["):
                compiling = False
            elif word == "]":
                compiling = True
            elif compiling and word in _CREATING:
                definers.add(defined)


def _reads_name(word: str, definers: Container[str], *, compiling: bool) -> bool:
    if word in ALWAYS_NAME_READERS:
        return True
    return not compiling and (word in DEFINING or word in NAME_READERS or word in definers)


def _delimited(text: str, offset: int, delimiter: str) -> tuple[int, bool]:
    """Return the end of the text that `WORD` reads from an index, and whether it is delimited."""
    if offset < len(text):
        offset += 1  # the blank or line end after the word
    while offset < len(text) and text[offset] == delimiter:
        offset += 1
    end = text.find(delimiter, offset)
    if end < 0:
        # A `\` comment at the end of the text is complete.  But if the line ends directly after
        # `\`, the comment is the next line, which does not exist.
        return len(text), delimiter == "\n" and not text.endswith("\\\n")
    if delimiter == "\n":
        return end, True  # the line end is not part of the comment
    return end + 1, True


def _kind(word: str) -> Kind:
    """Return the kind of a token that no other word reads."""
    if word in _OPENERS or word in CLOSERS:
        return Kind.SECTION
    if word == ";" or word in DEFINING:
        return Kind.ITEM if _ITEM.match(word) else Kind.DEFINING
    if word in CONTROL:
        return Kind.CONTROL
    if _ITEM.match(word):
        return Kind.ITEM
    if _NUMBER.match(word):
        return Kind.NUMBER
    return Kind.KERNEL if word in _PRIMITIVE_NAMES else Kind.WORD
