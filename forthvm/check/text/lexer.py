"""A script's text as tokens, told apart as the outer interpreter would.

This file owns where comments, strings and names begin and end; it must not know a VM.  Words
that a script makes itself to read text are not seen through.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from .unfinished import Unfinished, next_cut
from .words import COMMENT, DEFINERS, FILE, NAME, QUOTING, STRING, WORD, Token

__all__ = ["BLANKS", "COMMENT", "FILE", "NAME", "STRING", "WORD", "Lexed", "Token", "lex"]

BLANKS = b" \t\r\n\v\f"

_TOKEN = re.compile(rb"[^ \t\r\n\v\f]+")
_DELIMITERS = {b"(": b")", b"\\": b"\n", b'."': b'"', b'S"': b'"', b'^"': b'"', b'ABORT"': b'"'}

_MOST_UNFINISHED = 40  # of one text; each costs a pass


class Lexed(NamedTuple):
    """The tokens of a text, their numbers by offset, and the definitions without `;`.

    What follows a definition without `;` is told apart as if it were there.
    """

    tokens: tuple[Token, ...]
    at: dict[int, int]
    unfinished: tuple[Unfinished, ...] = ()


@lru_cache(maxsize=4)
def lex(data: bytes) -> Lexed:
    """Cut a text into tokens; the checks ask for the same text again and again."""
    unfinished: list[Unfinished] = []
    tokens = _Lexer(data, frozenset()).run()
    while len(unfinished) < _MOST_UNFINISHED and not _has_own_end(tokens):
        behind = unfinished[-1].name.start if unfinished else -1
        found = next_cut(data, tokens, behind)
        if found is None:
            break
        unfinished.append(found)
        tokens = _Lexer(data, frozenset(one.cut for one in unfinished)).run()
    at = {token.start: n for n, token in enumerate(tokens)}
    return Lexed(tuple(tokens), at, tuple(unfinished))


def _has_own_end(tokens: list[Token]) -> bool:
    """Whether some word of the text ends definitions, as `;` does."""
    pairs = pairwise(token.text for token in tokens)
    return (b"[COMPILE]", b";") in pairs


class _Lexer:
    def __init__(self, data: bytes, cuts: frozenset[int]) -> None:
        self._data = data
        self._cuts = cuts
        self._tokens: list[Token] = []
        self._compiling = False
        self._makers: set[bytes] = set(DEFINERS)
        self._defining = b""

    def run(self) -> list[Token]:
        at = 0
        while (found := _TOKEN.search(self._data, at)) is not None:
            word, start = found.group(), found.start()
            if start in self._cuts:
                self._compiling = False
            if word in _DELIMITERS:
                at = self._delimited(word, start, found.end())
            else:
                at = self._word(word, start, found.end())
        return self._tokens

    def _delimited(self, word: bytes, start: int, end: int) -> int:
        data, delimiter = self._data, _DELIMITERS[word]
        begin = min(end + 1, len(data))
        if word == b"\\" and data[end : end + 1] == b"\n":
            begin = end + 1
        while begin < len(data) and data[begin : begin + 1] == delimiter:
            begin += 1
        close = data.find(delimiter, begin)
        stop = close if close >= 0 else len(data)
        kind = COMMENT if word in (b"(", b"\\") else STRING
        closed = close >= 0 or delimiter == b"\n"
        after = min(stop + 1, len(data))
        text = data[begin:stop]
        self._tokens.append(Token(kind, start, text, after, self._compiling, word, closed))
        return after

    def _word(self, word: bytes, start: int, end: int) -> int:
        self._tokens.append(Token(WORD, start, word, end, self._compiling))
        if word == b";" and self._compiling:
            self._compiling = False
        elif word == b":" and not self._compiling:
            end = self._next(NAME, end)
            self._compiling = True
            self._defining = self._tokens[-1].text
        elif word == b"LOAD" and not self._compiling:
            end = self._next(FILE, end)
        elif word in self._makers and not self._compiling:
            end = self._next(NAME, end)
        elif word in QUOTING:
            end = self._next(WORD, end)
        elif self._compiling and word in (b"<BUILDS", b"CREATE"):
            self._makers.add(self._defining)
        return end

    def _next(self, kind: str, end: int) -> int:
        found = _TOKEN.search(self._data, end)
        if found is None:
            return end
        token = Token(kind, found.start(), found.group(), found.end(), self._compiling)
        self._tokens.append(token)
        return found.end()
