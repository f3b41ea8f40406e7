"""Finds definitions without `;`, and where each of them probably ends, from tokens alone.

This file must not know a VM.  In the dialect `:` is an ordinary word while compiling, so an open
definition includes the following definitions up to the next `;`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from forthvm.core._primitives import PRIMITIVES

from .words import COMMENT, DEFINERS, FILE, NAME, QUOTING, STRING, WORD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .words import Token

__all__ = ["Unfinished", "next_unfinished"]

_KERNEL = frozenset(name.encode() for name, *_ in PRIMITIVES)


class Unfinished(NamedTuple):
    """A definition that has no `;`.

    Attributes:
        start: Offset of its `:`.
        name: Its name.
        end: Offset of the next definition or section, or of the end of the text.
        last: The last token before `end` that is not a comment; at least the name.
        next_words: The first words at `end`, "" for the end of the text.
    """

    start: int
    name: Token
    end: int
    last: Token
    next_words: str


def next_unfinished(data: bytes, tokens: Sequence[Token], after: int) -> Unfinished | None:
    """Find the first definition after an offset that lacks its `;`."""
    for index, token in enumerate(tokens):
        if token.kind == NAME and token.start > after and index and _opens(tokens, index - 1):
            definition = _open_definition(data, tokens, index)
            if definition is not None:
                return definition
    return None


def _opens(tokens: Sequence[Token], index: int) -> bool:
    return tokens[index].text == b":" and not tokens[index].compiled


def _open_definition(data: bytes, tokens: Sequence[Token], name_at: int) -> Unfinished | None:
    """Return the definition of the name at an index if it lacks its `;`.

    The `;` is missing if another `:` or the end of the text comes first.
    """
    inner = name_at + 1
    end = len(tokens)
    while inner < end and tokens[inner].compiled:
        if tokens[inner].text == b";" and tokens[inner].kind == WORD and not _quoted(tokens, inner):
            return None
        if _begins_another(data, tokens, inner):
            break
        inner += 1
    else:
        if inner < end:
            return None  # `;` is the last compiled token
    cut = next(
        (n for n in range(name_at + 1, inner) if _is_outside(data, tokens, n, name_at)), inner
    )
    last = next(n for n in range(cut - 1, name_at - 1, -1) if tokens[n].kind != COMMENT)
    at_end = cut >= end
    return Unfinished(
        start=tokens[name_at - 1].start,
        name=tokens[name_at],
        end=len(data) if at_end else tokens[cut].start,
        last=tokens[last],
        next_words="" if at_end else _first_words(data, tokens, cut),
    )


def _quoted(tokens: Sequence[Token], index: int) -> bool:
    return tokens[index - 1].text in QUOTING


def _begins_another(data: bytes, tokens: Sequence[Token], index: int) -> bool:
    """Whether a `:` inside a definition begins another one.

    A defining word runs `:` itself, so a primitive may follow it: `: define : >R ;`.
    """
    token = tokens[index]
    if token.text != b":" or token.kind != WORD or _quoted(tokens, index):
        return False
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if following is None or following.kind != WORD or following.text == b";":
        return False
    return following.text not in _KERNEL or _column_of_first(data, token.start) is not None


def _is_outside(data: bytes, tokens: Sequence[Token], index: int, name_at: int) -> bool:
    """Whether a token begins a line that defines a word outside the definition at `name_at`.

    Such a line is not indented more than the open definition.
    """
    token = tokens[index]
    column = _column_of_first(data, token.start)
    opening = tokens[name_at - 1].start
    indentation = opening - (data.rfind(b"\n", 0, opening) + 1)
    if column is None or column > indentation or token.kind in (COMMENT, STRING):
        return False
    line = data.find(b"\n", token.start)
    end = line if line >= 0 else len(data)
    inside = [t.text for t in tokens[index:] if t.start < end and t.kind in (WORD, NAME, FILE)]
    section = token.text.startswith(b"{") and not token.text.endswith(b"}")
    return section or token.text in (b":", b"LOAD") or any(t in DEFINERS for t in inside)


def _column_of_first(data: bytes, start: int) -> int | None:
    """Return the column, from 0, of a token that is the first of its line; else None."""
    begin = data.rfind(b"\n", 0, start) + 1
    return start - begin if not data[begin:start].strip() else None


def _first_words(data: bytes, tokens: Sequence[Token], index: int) -> str:
    """Return the first words at a token for a message: `: name`, or the token itself."""
    token = tokens[index]
    end = token.after
    if token.text == b":" and index + 1 < len(tokens):
        end = tokens[index + 1].after
    return b" ".join(data[token.start : end].split()).decode("utf-8", "replace")
