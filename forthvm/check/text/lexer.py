"""The tokens of a script's text with byte offsets, in the form that the checks use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from forthvm.syntax import Kind, tokenize
from forthvm.syntax.tokens import STRINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from forthvm.syntax import Token as SyntaxToken

__all__ = [
    "COMMENT",
    "DEFINERS",
    "DEFINE_IF_NEW",
    "FILE",
    "NAME",
    "QUOTING",
    "STRING",
    "WORD",
    "Lexed",
    "Token",
    "definitions",
    "lex",
    "line_end",
]

WORD, NAME, COMMENT, STRING, FILE = "word", "name", "comment", "string", "file"

#: Words that read the next token as the name of a new word when they are interpreted.
DEFINERS = frozenset(
    b"CONSTANT VARIABLE CREATE <BUILDS DEFER [] TIMER FVARIABLE FCONSTANT VOCABULARY "
    b"{variable} {array} {carray} {position} {direction} {player} {neutral} {piece} {moves".split()
)
#: Words that read the next token without executing or compiling it.
QUOTING = frozenset(b"' ['] [COMPILE] ASCII IS COMPILE".split())
#: The character that ends a comment, by the opener.  Directly after the opener it ends nothing.
_CLOSERS = {"(": ")", "\\": "\n"}
DEFINE_IF_NEW = frozenset({"{move-type}", "{link}"})  # words that define a name only if it is new


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a text, or a comment or string.

    Attributes:
        kind: NAME for the name of a new word, FILE for a file name after LOAD, COMMENT, STRING, or
            WORD for all other tokens.
        start: Offset of the first byte.
        text: The text of the token; of comments and strings, the text between the delimiters.
        end: Offset after the last byte.
        in_definition: Whether the token is inside a colon definition.
        opener: The word that begins a comment or string.
        closed: False if the closing delimiter is missing.
    """

    kind: str
    start: int
    text: bytes
    end: int
    in_definition: bool
    opener: bytes = b""
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Lexed:
    """The tokens of a text, and their indices by offset."""

    tokens: tuple[Token, ...]
    index_by_offset: dict[int, int]


@lru_cache(maxsize=32)
def lex(data: bytes) -> Lexed:
    """Split a text into tokens.

    Results are cached, because checks split a text repeatedly, and editors check a script again
    after a change of one of its files.
    """
    tokens = tuple(_tokens(data))
    return Lexed(tokens, {token.start: n for n, token in enumerate(tokens)})


def line_end(data: bytes, offset: int) -> int:
    """Return the offset of the end of the line that contains an offset."""
    end = data.find(b"\n", offset)
    return end if end >= 0 else len(data)


def definitions(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield the names that tokens define; names that items define only if they are new, too."""
    reader = b""
    for token in tokens:
        if token.kind == NAME or (token.kind == WORD and reader.decode("latin-1") in DEFINE_IF_NEW):
            yield token
        reader = token.text


def _tokens(data: bytes) -> Iterator[Token]:
    """Yield the tokens of a text, decoded as Latin-1 so that character indices are byte offsets.

    `in_definition` is set inside definitions, including text between `[` and `]`.
    """
    in_definition = False
    before: SyntaxToken | None = None
    for token in tokenize(data.decode("latin-1")):
        reader = before.text if before is not None else ""  # may read this token
        if token.kind is Kind.COMMENT:
            yield _comment(data, token, in_definition)
        elif token.kind is Kind.STRING and before is not None:
            yield _string(before, token, in_definition)
        elif token.kind is not Kind.WORD or token.text not in STRINGS:
            kind = _kind(token, reader)
            yield Token(kind, token.start, token.text.encode("latin-1"), token.end, in_definition)
            if token.kind is Kind.NAME:
                in_definition = in_definition or reader == ":"
            elif token.text == ";" and token.kind is not Kind.QUOTED:
                in_definition = False
        before = token


def _kind(token: SyntaxToken, reader: str) -> str:
    """Return the kind of a token that is neither a comment nor a string."""
    if token.kind is Kind.NAME:
        return NAME if reader not in DEFINE_IF_NEW else WORD
    return FILE if token.kind is Kind.QUOTED and reader == "LOAD" else WORD


def _comment(data: bytes, token: SyntaxToken, in_definition: bool) -> Token:
    opener = token.text[0]
    inner = token.text[2:].lstrip(_CLOSERS[opener])
    end, closed = token.end, token.complete
    if opener == "(":
        inner = inner.removesuffix(")") if closed else inner
    else:  # the lexer leaves the line end out
        end, closed = min(end + 1, len(data)), True
    return Token(
        COMMENT, token.start, inner.encode("latin-1"), end, in_definition, opener.encode(), closed
    )


def _string(opener: SyntaxToken, token: SyntaxToken, in_definition: bool) -> Token:
    inner = token.text.lstrip('"')
    text = inner.removesuffix('"') if token.complete else inner
    name = opener.text.encode()
    return Token(
        STRING, opener.start, text.encode("latin-1"), token.end, in_definition, name, token.complete
    )
