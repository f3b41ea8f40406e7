"""Finds definitions without `;`, and the offset at which each of them probably ends.

Inside a definition, `:` does not begin another definition but is compiled as a call.  Therefore a
definition without `;` includes the following definitions up to the next `;`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from forthvm.core.loading.source import line_number

from .lexer import COMMENT, DEFINERS, FILE, NAME, QUOTING, STRING, WORD, lex, line_end
from .repair import Repair, Suspect

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .lexer import Token

__all__ = ["Unfinished", "ends_of", "next_unfinished"]


class Unfinished(NamedTuple):
    """A definition that has no `;`.

    Attributes:
        name: The token of the name.
        words: The tokens of its body that are not comments, and its name.
        end: The probable end: offset of the next definition or section, or of the end of the text.
        next_words: The first words at `end`; empty at the end of the text.
    """

    name: Token
    words: list[Token]
    end: int
    next_words: bytes


def next_unfinished(data: bytes, offset: int = 0) -> Unfinished | None:
    """Return the first definition at or after an offset that lacks its `;`."""
    tokens = lex(data).tokens
    for index, (token, before) in enumerate(zip(tokens[1:], tokens, strict=False), 1):
        is_name = token.kind == NAME and before.text == b":" and not before.in_definition
        if is_name and token.start >= offset:
            found = _unfinished(data, tokens, index)
            if found is not None:
                return found
    return None


def _unfinished(data: bytes, tokens: Sequence[Token], name_at: int) -> Unfinished | None:
    """Return the definition of the name at an index if it lacks its `;`."""
    end = name_at + 1
    while end < len(tokens) and tokens[end].text != b":":
        token = tokens[end]
        if token.text == b";" and token.kind == WORD and tokens[end - 1].text not in QUOTING:
            return None
        if not token.in_definition:
            return None  # it ends otherwise
        end += 1
    lines = (n for n in range(name_at + 1, end) if _begins_other_part(data, tokens, n, name_at))
    end = next(lines, end)
    words = [token for token in tokens[name_at:end] if token.kind != COMMENT]
    if end == len(tokens):
        return Unfinished(tokens[name_at], words, len(data), b"")
    last = tokens[end + 1] if tokens[end].text == b":" and end + 1 < len(tokens) else tokens[end]
    next_words = b" ".join(data[tokens[end].start : last.end].split())
    return Unfinished(tokens[name_at], words, tokens[end].start, next_words)


def _begins_other_part(data: bytes, tokens: Sequence[Token], index: int, name_at: int) -> bool:
    """Whether a token begins a line that does not belong to the definition at `name_at`.

    Such a line defines a word, opens a section or loads a file, and is not indented more than the
    definition.
    """
    token, colon = tokens[index], tokens[name_at - 1]
    before = data[data.rfind(b"\n", 0, token.start) + 1 : token.start]
    column = colon.start - (data.rfind(b"\n", 0, colon.start) + 1)
    if before.strip() or len(before) > column or token.kind in (COMMENT, STRING):
        return False
    end = line_end(data, token.start)
    words = [t.text for t in tokens[index:] if t.start < end and t.kind in (WORD, NAME, FILE)]
    opens_section = token.text.startswith(b"{") and not token.text.endswith(b"}")
    return opens_section or token.text in (b":", b"LOAD") or any(w in DEFINERS for w in words)


def ends_of(data: bytes, found: Unfinished) -> Iterator[Suspect]:
    """Yield the place of a missing `;`, with repairs after the last word and in place of it."""
    name, last = found.name.text, found.words[-1]
    before = "the end of the file"
    if found.next_words:
        line = line_number(data, found.end)
        before = f"line {line}, where `{found.next_words.decode('utf-8', 'replace')}` begins"
    shown, word = (text.decode("utf-8", "replace") for text in (name, last.text))
    line = line_number(data, last.start)
    names = (after.text for token, after in pairwise(found.words) if token.text in DEFINERS)
    message = f"the definition of `{shown}` has no `;` before {before}"
    hint = f"its last word is `{word}`, in line {line}: write `;` after it"
    repair = Repair(last.end, last.end, b" ;", opaque=name, names=tuple(names))
    for edit in (repair, repair._replace(start=last.start, new=b";")):
        yield Suspect(found.name.start, message, hint, edit, "E312", name)
