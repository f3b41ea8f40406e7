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
from .words import COMMENT, DEFINERS, FILE, NAME, WORD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .words import Token

__all__ = ["item_faults"]

#: Items, and the number of names that they read.
_READ_BY_ITEMS = {
    item: count
    for count, items in {
        1: b"{move} {moves} {drops} {move-priority} {turn} {for-player} {of-type} {move-type} "
        b"{search-engine}",
        2: b"{symmetry} {asymmetry} {unlink}",
        3: b"{setup} {link}",
    }.items()
    for item in items.split()
}
_NO_NAME = re.compile(rb"\(|\\|;|:|\{[a-z-]+\}?|[a-z-]+\}")
_NO_NEW_NAME = re.compile(rb"(?:[+-]?\d+|:)$")
#: The number of words with which text before a `;` is probably the body of a definition.
_MIN_BODY = 3


def item_faults(data: bytes, tokens: Sequence[Token]) -> Iterator[Fault]:
    """Yield the faults of definitions and items."""
    for index, token in enumerate(tokens):
        if token.kind == NAME and _is_no_name(token):
            yield _without_name(data, tokens, index - 1)
        elif token.text in _READ_BY_ITEMS and not token.in_definition:
            names = tokens[index + 1 : index + 1 + _READ_BY_ITEMS[token.text]]
            if any(_is_no_name(name) for name in names):
                yield _without_name(data, tokens, index)
        elif token.text == b";" and token.kind == WORD and not token.in_definition:
            fault = _without_begin(data, tokens, index)
            if fault is not None:
                yield fault


def _is_no_name(token: Token) -> bool:
    return token.kind == COMMENT or _NO_NAME.fullmatch(token.text) is not None


def _without_name(data: bytes, tokens: Sequence[Token], index: int) -> Fault:
    """Return the fault of a word that reads too few names; leave out the item or definition."""
    reader = tokens[index]
    end = reader.end
    if reader.text == b":" and b"\n" not in data[end : tokens[index + 1].start]:
        rest = lex(repaired(data, [blank_out(data, reader.start, end)])).tokens
        ends = (t.end for t in rest if t.start > end and t.text == b";" and t.kind == WORD)
        end = next(ends, end)
    else:
        for token in tokens[index + 1 : index + _READ_BY_ITEMS.get(reader.text, 0)]:
            if _is_no_name(token):
                break
            end = token.end
    word = reader.text.decode("latin-1")
    return Fault(
        reader.start,
        f"a name after `{word}` is missing",
        f"write a name after `{word}`",
        blank_out(data, reader.start, end),
        frozenset(data[reader.end : end].split()),
    )


def _without_begin(data: bytes, tokens: Sequence[Token], index: int) -> Fault | None:
    """Return the fault of a `;` that ends no definition."""
    first = _first_of_definition(data, tokens, index)
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


def _first_of_definition(data: bytes, tokens: Sequence[Token], index: int) -> Token | None:
    """Return the probable name of the definition that a `;` ends; None if there is none."""
    first = index
    while first and not _ends_other_part(tokens, first - 1):
        first -= 1
        if _has_stack_comment(data, tokens, first):
            break
    while first < index and tokens[first].kind == COMMENT:
        first += 1
    after = tokens[first + 1 : index]
    is_definition = len(after) >= _MIN_BODY or any(token.opener == b"(" for token in after[:2])
    if first == index or tokens[first].kind != WORD or not is_definition:
        return None
    is_glued = tokens[first].text.startswith(b":") and after[0].kind == COMMENT  # `:name ( -- )`
    return None if is_glued or _NO_NEW_NAME.match(tokens[first].text) else tokens[first]


def _ends_other_part(tokens: Sequence[Token], index: int) -> bool:
    """Whether a token belongs to what precedes a definition."""
    token = tokens[index]
    reader = tokens[index - 1].text if index else b""
    if token.in_definition or token.kind in (NAME, FILE):
        return True
    if token.kind == COMMENT:
        return False
    is_brace = token.text.startswith(b"{") or token.text.endswith(b"}")
    return is_brace or token.text == b";" or reader in DEFINERS


def _has_stack_comment(data: bytes, tokens: Sequence[Token], index: int) -> bool:
    """Whether a token begins a line, and a comment follows it or the next token."""
    token = tokens[index]
    line_start = data.rfind(b"\n", 0, token.start) + 1
    if token.kind != WORD or data[line_start : token.start].strip():
        return False
    return any(after.opener == b"(" for after in tokens[index + 1 : index + 3])
