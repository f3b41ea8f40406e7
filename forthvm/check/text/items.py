"""Finds definitions and items of sections without their begin or name, such as `{piece} {moves}`.

A word that reads a name reads the next token, whatever it is: `: ( n -- )` defines the word `(`.
This file must not know which words are defined.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .fault import Fault
from .lexer import lex
from .repairs import blank_out, repaired
from .words import COMMENT, DEFINERS, FILE, NAME, QUOTING, STRING, WORD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .words import Token

__all__ = ["item_faults"]

_ITEM_READERS = frozenset(
    b"{move} {moves} {drops} {move-priority} {turn} {for-player} {of-type} {move-type} "
    b"{search-engine}".split()
)
_NO_NAME = re.compile(rb"\(|\\|;|\{[a-z-]+\}?|[a-z-]+\}")
#: A number, or a name after a `:` without a blank, for which there is a finding of its own.
_NO_DEFINED_NAME = re.compile(rb"[+-]?\d+$|:[^:]")
#: The number of words with which text before a `;` is probably the body of a definition.
_MIN_BODY = 3


def item_faults(data: bytes, tokens: Sequence[Token]) -> Iterator[Fault]:
    """Yield the faults of definitions and items."""
    for index, token in enumerate(tokens):
        reader = tokens[index - 1] if index else None
        if reader is None:
            continue
        reads = token.kind == NAME or (reader.text in _ITEM_READERS and not reader.in_definition)
        if reads and _is_no_name(token):
            yield _without_name(data, reader)
        elif token.text == b";" and token.kind == WORD and not token.in_definition:
            fault = _without_begin(data, tokens, index)
            if fault is not None:
                yield fault


def _is_no_name(token: Token) -> bool:
    return token.kind == COMMENT or _NO_NAME.fullmatch(token.text) is not None


def _without_name(data: bytes, reader: Token) -> Fault:
    """Return the fault of a word that reads no name; leave out the word, or its definition."""
    end = reader.end
    if reader.text == b":":
        rest = lex(repaired(data, [blank_out(data, reader.start, end)])).tokens
        ends = (t.end for t in rest if t.start > end and t.text == b";" and t.kind == WORD)
        end = next(ends, end)
    word = reader.text.decode("latin-1")
    return Fault(
        reader.start,
        f"the name after `{word}` is missing",
        f"write a name after `{word}`",
        blank_out(data, reader.start, end),
    )


def _without_begin(data: bytes, tokens: Sequence[Token], index: int) -> Fault | None:
    """Return the fault of a `;` that ends no definition."""
    first = _first_of_definition(tokens, index)
    if first is None:
        return None
    start, end = first.start, tokens[index].end
    name = first.text.decode("utf-8", "replace")
    return Fault(
        start,
        f"`{name}` probably begins a definition that has no `:`",
        f"write `:` before `{name}`",
        blank_out(data, start, end),
        frozenset(data[start:end].split()),
    )


def _first_of_definition(tokens: Sequence[Token], index: int) -> Token | None:
    """Return the probable name of the definition that a `;` ends; None if there is none."""
    first = index
    while first and not _ends_other_part(tokens, first - 1):
        first -= 1
    while first < index and tokens[first].kind == COMMENT:
        first += 1
    after = tokens[first + 1 : index]
    is_definition = len(after) >= _MIN_BODY or any(token.opener == b"(" for token in after[:2])
    if first == index or tokens[first].kind != WORD or not is_definition:
        return None
    return tokens[first] if not _NO_DEFINED_NAME.match(tokens[first].text) else None


def _ends_other_part(tokens: Sequence[Token], index: int) -> bool:
    """Whether a token belongs to what precedes a definition."""
    token = tokens[index]
    reader = tokens[index - 1].text if index else b""
    if token.in_definition or token.kind in (NAME, FILE, STRING):
        return True
    if token.kind == COMMENT:
        return False
    is_brace = token.text.startswith(b"{") or token.text.endswith(b"}")
    return is_brace or token.text in (b";", b"!", b",") or reader in DEFINERS or reader in QUOTING
