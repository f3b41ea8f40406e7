"""Finds brackets without their partners, words that a line end breaks, and `;` glued to a `:`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from forthvm.syntax.tokens import DEFINING, NAME_READERS, SECTIONS

from .fault import Fault
from .repairs import Repair, blank_out
from .words import COMMENT, FILE, NAME, QUOTING, STRING, WORD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .words import Token

__all__ = [
    "CLOSERS",
    "OPENERS",
    "SECTION_WORDS",
    "bracket_fault",
    "broken_word",
    "doubled_word",
    "is_broken",
    "is_glued_end",
    "stray_faults",
]

OPENERS = frozenset(b"{" + name.encode() for name in SECTIONS)
CLOSERS = frozenset(name.encode() + b"}" for name in SECTIONS)
SECTION_WORDS = frozenset(
    word
    for word in (
        *OPENERS,
        *CLOSERS,
        *(name.encode() for name in (*DEFINING, *NAME_READERS)),
        *b"{grid} {setup} {symmetry} {asymmetry} {link} {unlink} {value} {repeat} {random}".split(),
    )
    if b"{" in word or b"}" in word
)
"""The words with braces that have a meaning in sections."""


def stray_faults(data: bytes, tokens: Sequence[Token]) -> Iterator[Fault]:
    """Yield the faults."""
    for index, (token, after) in enumerate(pairwise(tokens)):
        is_quoted = index > 0 and tokens[index - 1].text in QUOTING
        if token.text + after.text in SECTION_WORDS and (
            is_broken(data, token, after) or _is_split(data, token, after)
        ):
            yield broken_word(data, token, after)
        elif token.kind != WORD or is_quoted:
            continue
        elif token.text == b"]" and not token.in_definition:
            if not _is_closed(tokens, index):
                yield bracket_fault(data, token)
        elif token.text == b"[" and token.in_definition and not _is_reopened(tokens, index):
            yield Fault(
                token.start,
                "`[` has no `]` in its definition: the words after it run and are not compiled",
                "write `]` before the words to compile, or delete `[`",
                blank_out(data, token.start, token.end),
            )
        elif token.in_definition and is_glued_end(token):
            yield _glued_end(data, tokens, index)


def bracket_fault(data: bytes, token: Token) -> Fault:
    """Return the fault of a `]` without `[`."""
    return Fault(
        token.start,
        "`]` has no `[` before it: the text after it is compiled and does not run",
        "delete `]`",
        blank_out(data, token.start, token.end),
    )


def _is_closed(tokens: Sequence[Token], index: int) -> bool:
    """Whether the words after a `]` outside of definitions end with `[`."""
    for token in tokens[index + 1 :]:
        if token.kind == FILE or token.text == b":" or token.text in OPENERS:
            return False
        if token.text == b"[":
            return True
    return False


def _is_reopened(tokens: Sequence[Token], index: int) -> bool:
    """Whether a `]` follows a `[` in the same definition."""
    for token in tokens[index + 1 :]:
        if token.text == b"]":
            return True
        if token.text == b";" or not token.in_definition:
            return False
    return False


def is_broken(data: bytes, token: Token, after: Token) -> bool:
    """Whether only a line end, and the indentation of a line, are between two words."""
    between = data[token.end : after.start]
    is_text = COMMENT in (token.kind, after.kind) or STRING in (token.kind, after.kind)
    return not is_text and between.count(b"\n") == 1 and not between.strip()


def _is_split(data: bytes, token: Token, after: Token) -> bool:
    """Whether only a blank is between two words, of which none has a meaning in sections."""
    is_blank = token.kind == after.kind == WORD and data[token.end : after.start] == b" "
    return is_blank and token.text not in SECTION_WORDS and after.text not in SECTION_WORDS


def broken_word(data: bytes, token: Token, after: Token) -> Fault:
    """Return the fault of a word that a line end breaks in two parts."""
    first, rest = (part.text.decode("utf-8", "replace") for part in (token, after))
    between = data[token.end : after.start]
    breaker, where = ("line end", " in one line") if b"\n" in between else ("blank", "")
    joined = token.text + after.text + between
    return Fault(
        token.start,
        f"a {breaker} breaks `{first}{rest}` in two parts, `{first}` and `{rest}`",
        f"write `{first}{rest}`{where}",
        Repair(token.start, joined),
    )


def doubled_word(data: bytes, token: Token) -> Fault:
    """Return the fault of a word that stands twice, where it makes sense once."""
    word = token.text.decode("latin-1")
    return Fault(
        token.start,
        f"`{word}` stands here twice",
        f"delete one `{word}`",
        blank_out(data, token.start, token.end),
    )


def is_glued_end(token: Token) -> bool:
    """Whether a token has a `;` to which a `:` or the begin of a section is glued."""
    _, end, after = token.text.partition(b";")
    return bool(end) and (after.startswith(b":") or after in OPENERS)


def _glued_end(data: bytes, tokens: Sequence[Token], index: int) -> Fault:
    """Return the fault of a `;:` or `;{moves`, with the definition that it ends made empty."""
    token = tokens[index]
    start = index
    while start and tokens[start].kind != NAME:
        start -= 1
    name = tokens[start].text
    begin = tokens[max(start - 1, 0)].start
    last, _, after = token.text.partition(b";")
    following = [after]
    if after.startswith(b":"):
        following = [b":", *filter(None, [after[1:]])]
    shown = b" ".join([*filter(None, [last]), b";", *following]).decode("utf-8", "replace")
    text = token.text.decode("utf-8", "replace")
    definition = b": " + name + b" ;"
    blanks = blank_out(data, begin, token.start + len(last)).data
    replaced = b": " if following[0] == b":" and len(following) > 1 else b" " + following[0]
    return Fault(
        token.start,
        f"a blank is missing in `{text}`: it is read as one name",
        f"write `{shown}`",
        Repair(begin, definition + blanks[len(definition) :] + replaced),
        code="E105",
        emptied=name,
    )
