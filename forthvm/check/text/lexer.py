"""The tokens of a script's text with byte offsets, and its definitions without `;`.

This file converts the tokens of forthvm.syntax to the form that the checks use.  It must not know
a VM.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from forthvm.syntax import Kind, tokenize
from forthvm.syntax.tokens import STRINGS

from .unfinished import Unfinished, next_unfinished
from .words import COMMENT, FILE, NAME, STRING, WORD, Token

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.syntax import Token as SyntaxToken

__all__ = ["BLANKS", "COMMENT", "FILE", "NAME", "STRING", "WORD", "Lexed", "Token", "lex"]

BLANKS = b" \t\r\n\v\f"

#: What ends a comment.  Directly after the opener, it is skipped and does not end the comment.
_CLOSERS = {"(": ")", "\\": "\n"}
_DEFINE_IF_NEW = frozenset({"{move-type}"})  # words that define a name only if it is new

_MAX_UNFINISHED = 40  # per text; each needs another pass over the text


class Lexed(NamedTuple):
    """The tokens of a text, their indexes by offset, and the definitions without `;`.

    Text after a definition without `;` is read as if the definition had its `;`.
    """

    tokens: tuple[Token, ...]
    at: dict[int, int]
    unfinished: tuple[Unfinished, ...] = ()


@lru_cache(maxsize=4)
def lex(data: bytes) -> Lexed:
    """Split a text into tokens.  Results are cached, since the checks lex a text repeatedly."""
    unfinished: list[Unfinished] = []
    tokens = list(_tokens(data, frozenset()))
    while len(unfinished) < _MAX_UNFINISHED and not _defines_end_word(tokens):
        after = unfinished[-1].name.start if unfinished else -1
        definition = next_unfinished(data, tokens, after)
        if definition is None:
            break
        unfinished.append(definition)
        tokens = list(_tokens(data, frozenset(definition.end for definition in unfinished)))
    at = {token.start: n for n, token in enumerate(tokens)}
    return Lexed(tuple(tokens), at, tuple(unfinished))


def _defines_end_word(tokens: list[Token]) -> bool:
    """Whether the text defines a word that ends definitions, as `;` does."""
    pairs = pairwise(token.text for token in tokens)
    return (b"[COMPILE]", b";") in pairs


def _tokens(data: bytes, cuts: frozenset[int]) -> Iterator[Token]:
    """Yield the tokens of a text, decoded as Latin-1 so that character indexes are byte offsets.

    `compiled` is set inside definitions, including text between `[` and `]`.  A definition
    without `;` ends at an offset in `cuts`.
    """
    compiled = False
    before: SyntaxToken | None = None
    for token in tokenize(data.decode("latin-1"), interpret_at=cuts):
        reader = before.text if before is not None else ""  # may read this token
        compiled = compiled and token.start not in cuts
        if token.kind is Kind.COMMENT:
            yield _comment(data, token, compiled)
        elif token.kind is Kind.STRING and before is not None:
            yield _string(before, token, compiled)
        elif token.kind is not Kind.WORD or token.text not in STRINGS:
            kind = _kind(token, reader)
            yield Token(kind, token.start, token.text.encode("latin-1"), token.end, compiled)
            if token.kind is Kind.NAME:
                compiled = compiled or reader == ":"
            elif token.text == ";" and token.kind is not Kind.QUOTED:
                compiled = False
        before = token


def _kind(token: SyntaxToken, reader: str) -> str:
    """Return the kind of a token that is neither a comment nor a string."""
    if token.kind is Kind.NAME:
        return NAME if reader not in _DEFINE_IF_NEW else WORD
    return FILE if token.kind is Kind.QUOTED and reader == "LOAD" else WORD


def _comment(data: bytes, token: SyntaxToken, compiled: bool) -> Token:
    opener = token.text[0]
    inner = token.text[2:].lstrip(_CLOSERS[opener])
    after, closed = token.end, token.complete
    if opener == "(":
        inner = inner.removesuffix(")") if closed else inner
    else:  # the lexer leaves the line end out
        after, closed = min(after + 1, len(data)), True
    return Token(
        COMMENT, token.start, inner.encode("latin-1"), after, compiled, opener.encode(), closed
    )


def _string(opener: SyntaxToken, token: SyntaxToken, compiled: bool) -> Token:
    inner = token.text.lstrip('"')
    text = inner.removesuffix('"') if token.complete else inner
    name = opener.text.encode()
    return Token(
        STRING, opener.start, text.encode("latin-1"), token.end, compiled, name, token.complete
    )
