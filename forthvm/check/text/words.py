"""The type of tokens, their kinds, and the words of the dialect that read the next token."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["COMMENT", "DEFINERS", "FILE", "NAME", "QUOTING", "STRING", "WORD", "Token"]

WORD, NAME, COMMENT, STRING, FILE = "word", "name", "comment", "string", "file"

#: Words that read the next token as the name of a new word when they are interpreted.
DEFINERS = frozenset(
    b"CONSTANT VARIABLE CREATE <BUILDS DEFER [] TIMER FVARIABLE FCONSTANT VOCABULARY "
    b"{variable} {array} {carray} {position} {direction} {player} {neutral} {piece} {moves".split()
)
#: Words that read the next token without executing or compiling it.
QUOTING = frozenset(b"' ['] [COMPILE] ASCII IS COMPILE".split())


class Token(NamedTuple):
    """A token of a text.

    Attributes:
        kind: WORD, NAME, COMMENT, STRING or FILE.
        start: Offset of its first byte.
        text: The text of the token; of comments and strings, the text between the delimiters.
        after: Offset after its last byte.
        compiled: The token is inside a definition.
        opener: The word that begins a comment or string.
        closed: False if the closing delimiter is missing.
    """

    kind: str
    start: int
    text: bytes
    after: int
    compiled: bool
    opener: bytes = b""
    closed: bool = True
