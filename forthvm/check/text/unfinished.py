"""Finds definitions without `;`, and the offset at which each of them probably ends.

This file uses only the tokens of a text.  Inside a definition, `:` does not begin another
definition but is compiled as a call.  Therefore a definition without `;` includes the following
definitions up to the next `;`.
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
        start: Offset of the `:` of the definition.
        name: The token of the name.
        end: The probable end: offset of the next definition or section, or of the end of the text.
        last: The last token before `end` that is not a comment; this may be the name.
        next_words: The first words at `end`; "" at the end of the text.
    """

    start: int
    name: Token
    end: int
    last: Token
    next_words: str


def next_unfinished(data: bytes, tokens: Sequence[Token], offset: int) -> Unfinished | None:
    """Find the first definition after an offset that lacks its `;`."""
    for index, token in enumerate(tokens):
        if token.kind == NAME and token.start > offset and index and _opens(tokens, index - 1):
            definition = _open_definition(data, tokens, index)
            if definition is not None:
                return definition
    return None


def _opens(tokens: Sequence[Token], index: int) -> bool:
    return tokens[index].text == b":" and not tokens[index].in_definition


def _open_definition(data: bytes, tokens: Sequence[Token], name_at: int) -> Unfinished | None:
    """Return the definition of the name at an index if it lacks its `;`."""
    index = name_at + 1
    while index < len(tokens) and tokens[index].in_definition:
        if tokens[index].text == b";" and tokens[index].kind == WORD and not _quoted(tokens, index):
            return None
        if _begins_another(data, tokens, index):
            break
        index += 1
    else:
        if index < len(tokens):
            return None  # the tokenizer has found the end of the definition
    end_index = next(
        (n for n in range(name_at + 1, index) if _begins_other_line(data, tokens, n, name_at)),
        index,
    )
    last = next(n for n in range(end_index - 1, name_at - 1, -1) if tokens[n].kind != COMMENT)
    at_end = end_index >= len(tokens)
    return Unfinished(
        start=tokens[name_at - 1].start,
        name=tokens[name_at],
        end=len(data) if at_end else tokens[end_index].start,
        last=tokens[last],
        next_words="" if at_end else _first_words(data, tokens, end_index),
    )


def _quoted(tokens: Sequence[Token], index: int) -> bool:
    return tokens[index - 1].text in QUOTING


def _begins_another(data: bytes, tokens: Sequence[Token], index: int) -> bool:
    """Whether a token inside a definition is the `:` of another definition.

    In `: define : >R ;` it is not: the word `define` calls `:`, and then `>R`.  Therefore a `:` in
    the middle of a line does not count if a primitive follows it.
    """
    token = tokens[index]
    if token.text != b":" or token.kind != WORD or _quoted(tokens, index):
        return False
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if following is None or following.kind != WORD or following.text == b";":
        return False
    return following.text not in _KERNEL or _column_of_first(data, token.start) is not None


def _begins_other_line(data: bytes, tokens: Sequence[Token], index: int, name_at: int) -> bool:
    """Whether a token begins a line that does not belong to the definition at `name_at`.

    Such a line defines a word, opens a section or loads a file, and is not indented more than the
    definition.
    """
    token = tokens[index]
    column = _column_of_first(data, token.start)
    opening = tokens[name_at - 1].start
    indentation = opening - (data.rfind(b"\n", 0, opening) + 1)
    if column is None or column > indentation or token.kind in (COMMENT, STRING):
        return False
    newline = data.find(b"\n", token.start)
    line_end = newline if newline >= 0 else len(data)
    words = [t.text for t in tokens[index:] if t.start < line_end and t.kind in (WORD, NAME, FILE)]
    opens_section = token.text.startswith(b"{") and not token.text.endswith(b"}")
    return opens_section or token.text in (b":", b"LOAD") or any(w in DEFINERS for w in words)


def _column_of_first(data: bytes, start: int) -> int | None:
    """Return the column, from 0, of the token at `start` if it is the first token of its line."""
    begin = data.rfind(b"\n", 0, start) + 1
    return start - begin if not data[begin:start].strip() else None


def _first_words(data: bytes, tokens: Sequence[Token], index: int) -> str:
    """Return the first words at a token for a message: `: name`, or the token itself."""
    token = tokens[index]
    end = token.end
    if token.text == b":" and index + 1 < len(tokens):
        end = tokens[index + 1].end
    return b" ".join(data[token.start : end].split()).decode("utf-8", "replace")
