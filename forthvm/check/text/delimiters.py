"""Finds comments and strings without their begin or end.

A comment `(` that is not closed on its line ends at the next `)`, in a later definition, and hides
the text between them; so does a string.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .fault import Fault
from .repairs import blank_out
from .words import COMMENT, NAME, STRING, WORD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .words import Token

__all__ = ["delimiter_faults", "hides_code"]

#: The begin of a line that is probably no part of a comment or string.
_CODE = re.compile(
    rb"\n[ \t]*(?::\s|\{[a-z-]+[\s}]|[a-z-]+\}\s"
    rb"|(?:\S+[ \t]+)?(?:CONSTANT|VARIABLE|FVARIABLE|FCONSTANT|CREATE|DEFER|LOAD)[ \t]+\S)"
)
_END_OF_DEFINITION = re.compile(rb";[ \t\r]*\n")
_DEFINITION = re.compile(rb"\s*:\s+\S+\s+\(\s")
_OPENS_STRING = re.compile(rb"(?:\A|\s)(?:[.S^]|ABORT)\Z")
_LAST_SEMICOLON = re.compile(rb"\s;[ \t\r]*$")


def delimiter_faults(data: bytes, tokens: Sequence[Token]) -> Iterator[Fault]:
    """Yield the faults of comments and strings."""
    defines_bracket = any(token.kind == NAME and token.text == b")" for token in tokens)
    for index, token in enumerate(tokens):
        if token.kind == COMMENT and token.opener == b"(" and _DEFINITION.match(token.text):
            yield Fault(
                token.start,
                "the comment hides the begin of a definition",
                "delete `(`",
                blank_out(data, token.start, token.start + 1),
            )
        elif token.kind == COMMENT and token.opener == b"(" and hides_code(data, token):
            yield _open_comment(data, token)
        elif token.kind == STRING and hides_code(data, token):
            yield _open_string(data, tokens, index)
        elif token.kind == WORD and token.text == b")" and not defines_bracket:
            fault = _comment_without_begin(data, tokens, index)
            if fault is not None:
                yield fault


def hides_code(data: bytes, token: Token) -> bool:
    """Whether a comment or string without an end extends over lines that are probably code.

    It then ends with the next comment or string, or with the file.  Code in a comment that has an
    end was put there by the author, and prose may have a `;` at the end of a line.
    """
    part = (data, token.start, token.end)
    hides_begin = _CODE.search(*part) is not None
    if not hides_begin and _END_OF_DEFINITION.search(*part) is None:
        return False
    if token.kind == STRING:
        return hides_begin or not token.closed or _OPENS_STRING.search(token.text) is not None
    return not token.closed or b"(" in token.text.partition(b"\n")[2]


def _line_end(data: bytes, start: int) -> int:
    end = data.find(b"\n", start)
    return end if end >= 0 else len(data)


def _open_comment(data: bytes, token: Token) -> Fault:
    end = _line_end(data, token.start)
    semicolon = _LAST_SEMICOLON.search(data, token.start, end)
    if semicolon is not None and token.in_definition:
        end = semicolon.start()
    return Fault(
        token.start,
        "the comment has no `)` on its line, and it hides the definitions up to the next `)`",
        "write ` )` after the comment",
        blank_out(data, token.start, end),
        frozenset(data[token.start : end].split()),
    )


def _open_string(data: bytes, tokens: Sequence[Token], index: int) -> Fault:
    token = tokens[index]
    start, end = token.start, _line_end(data, token.start)
    if token.in_definition:
        while start and tokens[index].kind != NAME:
            index -= 1
            start = tokens[index].start
        start = tokens[max(index - 1, 0)].start
        semicolon = re.compile(rb"\s;\s").search(data, token.start, token.end)
        end = semicolon.end() - 1 if semicolon is not None else end
    opener = token.opener.decode()
    return Fault(
        token.start,
        f'the text after `{opener}` has no `"` on its line, and it hides the code after it',
        'write `"` after the text',
        blank_out(data, start, end),
        frozenset(data[start:end].split()),
    )


def _comment_without_begin(data: bytes, tokens: Sequence[Token], index: int) -> Fault | None:
    """Return the fault of a `)`; the comment probably begins after the name that is defined.

    There is no fault if only the blank after `(` is missing.
    """
    token = tokens[index]
    start = data.rfind(b"\n", 0, token.start) + 1
    for before in reversed(tokens[:index]):
        if before.start < start:
            break
        if before.text.startswith(b"(") and before.kind == WORD:
            return None
        if before.kind in (NAME, COMMENT):
            is_glued = before.kind == NAME and before.text.endswith(b"(")  # `: name( -- )`
            start = before.end - is_glued
            break
    return Fault(
        token.start,
        "`)` ends no comment",
        "a comment begins with `(` and a blank",
        blank_out(data, start, token.end),
    )
