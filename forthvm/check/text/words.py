"""The type of source tokens, their kinds, and the words of the dialect that read the next token."""

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
