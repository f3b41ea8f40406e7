"""Finds definitions and items of sections without their begin or name, such as `{piece} {moves}`.

A word that reads a name reads the next token, whatever it is: `: ( n -- )` defines the word `(`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .delimiters import hides_code
from .fault import Fault
from .lexer import lex
from .repairs import Repair, blank_out, repaired
from .strays import SECTION_WORDS, doubled_word
from .words import COMMENT, DEFINERS, FILE, NAME, STRING, WORD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .words import Token

__all__ = ["READ_BY_ITEMS", "item_faults"]

READ_BY_ITEMS = {
    item: count
    for count, items in {
        1: b"{move} {moves} {drops} {move-priority} {turn} {for-player} {of-type} {move-type} "
        b"{search-engine}",
        2: b"{symmetry} {asymmetry} {unlink}",
        3: b"{setup} {link}",
    }.items()
    for item in items.split()
}
"""Items, and the number of names that they read."""
_NO_NAME = re.compile(rb"\(|\\|;|:|\{[a-z-]+\}?|[a-z-]+\}")
_OWN_WORD = re.compile(rb"\{[a-z-]+\}?|[a-z-]+\}")
_NUMBER = re.compile(rb"[+-]?\d+$")
#: The number of words with which text before a `;` is probably the body of a definition.
_MIN_BODY = 3


def item_faults(data: bytes, tokens: Sequence[Token]) -> Iterator[Fault]:
    """Yield the faults of definitions and items."""
    for index, token in enumerate(tokens):
        fault = None
        if token.kind in (NAME, FILE):
            fault = _of_new_name(data, tokens, index)
        elif token.text in READ_BY_ITEMS and not token.in_definition:
            names = tokens[index + 1 : index + 1 + READ_BY_ITEMS[token.text]]
            if names and _is_doubled(data, token, names[0]):
                fault = doubled_word(data, token)
            elif any(_is_no_name(name) for name in names):
                fault = _without_name(data, tokens, index)
        elif token.text == b";" and token.kind == WORD and not token.in_definition:
            fault = _without_begin(data, tokens, index)
        if fault is not None:
            yield fault


def _of_new_name(data: bytes, tokens: Sequence[Token], index: int) -> Fault | None:
    """Return the fault of a token that is read as a new name, or as the name of a file."""
    token, reader = tokens[index], tokens[index - 1]
    if _is_doubled(data, reader, token):
        return doubled_word(data, reader)
    if token.kind == FILE:
        return _load_without_name(data, tokens, index - 1) if _is_no_name(token) else None
    if token.text == b"(" and not _is_comment(data, token):
        return Fault(
            token.start,
            "the comment has no `)` on its line",
            "write ` )` after the comment, or delete `(`",
            blank_out(data, token.start, token.end),
        )
    is_no_name = _is_no_name(token)
    if reader.text == b":":
        is_own_word = _OWN_WORD.fullmatch(token.text) and token.text not in SECTION_WORDS
        is_no_name &= not is_own_word  # scripts define words such as `{hand}` for their sections
        is_no_name |= _NUMBER.match(token.text) is not None
    return _without_name(data, tokens, index - 1) if is_no_name else None


def _is_no_name(token: Token) -> bool:
    return token.kind == COMMENT or _NO_NAME.fullmatch(token.text) is not None


def _is_comment(data: bytes, token: Token) -> bool:
    """Whether a `(` that is read as a name begins a comment that ends on its line."""
    end = data.find(b"\n", token.end)
    return b")" in data[token.end : end if end >= 0 else len(data)]


def _load_without_name(data: bytes, tokens: Sequence[Token], index: int) -> Fault:
    """Return the fault of a `LOAD` without a file, which may stand before it."""
    load, before = tokens[index], tokens[max(index - 1, 0)]
    between = data[before.end : load.start]
    if before.kind == WORD and before.text.lower().endswith(b".4th") and b"\n" not in between:
        file = before.text.decode("latin-1")
        repair = Repair(before.start, load.text + between + before.text)
        return Fault(before.start, f"`LOAD` stands after `{file}`", f"write `LOAD {file}`", repair)
    return _without_name(data, tokens, index)


def _is_doubled(data: bytes, token: Token, after: Token) -> bool:
    return token.text == after.text and b"\n" not in data[token.end : after.start]


def _without_name(data: bytes, tokens: Sequence[Token], index: int) -> Fault:
    """Return the fault of a word that reads too few names; leave out the item or definition."""
    reader = tokens[index]
    end = reader.end
    if reader.text == b":" and b"\n" not in data[end : tokens[index + 1].start]:
        rest = lex(repaired(data, [blank_out(data, reader.start, end)])).tokens
        ends = (t.end for t in rest if t.start > end and t.text == b";" and t.kind == WORD)
        end = next(ends, end)
    elif reader.text == b"{moves":
        ends = (t.end for t in tokens[index + 1 :] if t.text == b"moves}")
        end = next(ends, end)
    else:
        for token in tokens[index + 1 : index + 1 + READ_BY_ITEMS.get(reader.text, 0)]:
            if _is_no_name(token):
                if token.kind == WORD and token.text not in SECTION_WORDS:
                    end = token.end  # part of the damage
                break
            end = token.end
    word = reader.text.decode("latin-1")
    return Fault(
        reader.start,
        f"a name after `{word}` is missing",
        f"write a name after `{word}`",
        blank_out(data, reader.start, end),
        frozenset(data[reader.end : end].split()),
        lacks_file=reader.text == b"LOAD",
        lacks_name=reader.text in DEFINERS or reader.text == b":",
    )


def _without_begin(data: bytes, tokens: Sequence[Token], index: int) -> Fault | None:
    """Return the fault of a `;` that ends no definition."""
    first = _first_of_definition(data, tokens, index)
    if first is None:
        return None
    start, end = first.start, tokens[index].end
    hiding = (t for t in tokens[:index] if t.kind in (COMMENT, STRING) and start <= t.start)
    if any(hides_code(data, token) for token in hiding):
        return None  # the comment or string hides the `:`
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
    is_no_name = tokens[first].text == b":" or _NUMBER.match(tokens[first].text)
    return None if is_glued or is_no_name else tokens[first]


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
