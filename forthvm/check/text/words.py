"""Kinds of tokens, and the words of the dialect that read the token behind them.

This file owns these names only.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["COMMENT", "DEFINERS", "FILE", "NAME", "QUOTING", "STRING", "WORD", "Token"]

WORD, NAME, COMMENT, STRING, FILE = "word", "name", "comment", "string", "file"

#: Words that take the next token as the name of a new word when they are interpreted.
DEFINERS = frozenset(
    b"CONSTANT VARIABLE CREATE <BUILDS DEFER [] TIMER FVARIABLE FCONSTANT VOCABULARY "
    b"{variable} {array} {carray} {position} {direction} {player} {neutral} {piece} {moves".split()
)
#: Words that take the next token as it stands.
QUOTING = frozenset(b"' ['] [COMPILE] ASCII IS COMPILE".split())


class Token(NamedTuple):
    """A token: what it is, where, and whether it lies inside a definition.

    `text` of comments and strings is what stands between the delimiters; `closed` is False
    where the end of the file ended it.  `after` is the offset behind it.
    """

    kind: str
    start: int
    text: bytes
    after: int
    compiled: bool
    opener: bytes = b""
    closed: bool = True
