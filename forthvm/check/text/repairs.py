"""Repairs of texts for loading.  Repairs keep the length of the text, so locations stay valid.

This file owns the repairs.  A definition without `;` is replaced by an empty definition.  If a
blank is missing in a name (the words are *glued*), the blank is inserted, and a blank before or
after the name is removed.  Messages always show the original text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from .lexer import BLANKS, lex

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable

    from .unfinished import Unfinished

__all__ = [
    "Repair",
    "blank_out",
    "empty_definition",
    "end_definition",
    "insert_blank",
    "is_glued_to_end",
    "repaired",
    "split_glued_name",
]

_SECTION_WORD_FIRST = re.compile(r"(\{[^{}\s]+\})(.+)$|(\{[a-z-]+)(\{.+)$|([a-z-]+\})(.+)$")
_SECTION_WORD_LAST = re.compile(r"(.+?)(\{[^{}\s]+\}?)$")
_MIN_GLUED_LENGTH = 4  # the minimum length of two built-in words for which a blank may be missing
_NUMBER = re.compile(r"[+-]?\d+$")


class Repair(NamedTuple):
    """Bytes that replace bytes of a text from an offset on."""

    start: int
    data: bytes


def repaired(data: bytes, repairs: Iterable[Repair]) -> bytes:
    """Return a text with the repairs applied."""
    written = bytearray(data)
    for repair in repairs:
        written[repair.start : repair.start + len(repair.data)] = repair.data
    return bytes(written)


def blank_out(data: bytes, start: int, end: int) -> Repair:
    """Return the repair that replaces a part of a text by blanks, except for line ends."""
    return Repair(start, re.sub(rb"[^\n]", b" ", data[start:end]))


def end_definition(data: bytes, unfinished: Unfinished) -> Repair:
    """Return the repair that replaces a definition without `;` by an empty definition."""
    return empty_definition(data, unfinished.start, unfinished.end, unfinished.name.text)


def empty_definition(data: bytes, start: int, end: int, name: bytes) -> Repair:
    """Return the repair that replaces a part of a text by `: name ;` and blanks.

    If the part is too short, it is replaced by blanks only.
    """
    empty = b": " + name + b" ;"
    if len(empty) >= end - start and end < len(data):
        return blank_out(data, start, end)
    blanks = blank_out(data, start, end).data
    return Repair(start, (empty + blanks[len(empty) :])[: end - start])


def is_glued_to_end(text: str, is_known: Callable[[str], bool]) -> bool:
    """Whether a token consists of a known name and `;`, such as `jump;`."""
    return len(text) > 1 and text.endswith(";") and not is_known(text) and is_known(text[:-1])


def split_glued_name(
    name: str, is_known: Callable[[str], bool], built_in: Container[str] = ()
) -> tuple[str, ...]:
    """Split an unknown name in which a blank is missing; return () if no blank is missing.

    Names are split at `;`, `:` and the braces of section words (`jump;`, `:jump`, `{move}jump`,
    `a1{setup}`) and between two built-in words (`empty?verify`).
    """
    if len(name) > 1 and name.endswith(";") and (is_known(name[:-1]) or _NUMBER.match(name[:-1])):
        return (name[:-1], ";")
    if len(name) > 1 and name.startswith(":") and not name.endswith(":"):
        return (":", name[1:])
    for pattern in (_SECTION_WORD_FIRST, _SECTION_WORD_LAST):
        match = pattern.match(name)
        parts = tuple(part for part in match.groups() if part) if match else ()
        if parts and any(_is_section_word(part) and is_known(part) for part in parts):
            return parts
    for split_at in range(_MIN_GLUED_LENGTH, len(name) - _MIN_GLUED_LENGTH + 1):
        if name[:split_at] in built_in and name[split_at:] in built_in:
            return (name[:split_at], name[split_at:])
    return ()


def _is_section_word(part: str) -> bool:
    """Whether a name has the form of a word of game sections, such as `{move}` or `moves}`."""
    return part.startswith("{") or part.endswith("}")


def insert_blank(data: bytes, offset: int, name: bytes, parts: tuple[bytes, ...]) -> Repair | None:
    """Return the repair that inserts the missing blank into a name.

    The result is None if no blank beside the name can be removed.
    """
    if parts[0] == b":":
        return _empty_definition_from(data, offset, parts[1])
    corrected, end = b" ".join(parts), offset + len(name)
    added = len(corrected) - len(name)  # the number of blanks beside the name to remove
    # One more blank must remain between the corrected name and the token beside it.
    if _is_blank(data[offset - added - 1 : offset], added + 1):
        return Repair(offset - added, corrected)
    if _is_blank(data[end : end + added + 1], added + 1) or not data[end + added :].strip():
        return Repair(offset, corrected)
    return None


def _is_blank(data: bytes, count: int) -> bool:
    return len(data) == count and b"\n" not in data[1:] and not data.strip(BLANKS)


def _empty_definition_from(data: bytes, offset: int, name: bytes) -> Repair | None:
    """Return the repair that replaces a definition with a glued `:name` by an empty definition."""
    for token in lex(data).tokens:
        if token.start > offset and token.text in (b":", b";"):
            if token.text == b";":
                return empty_definition(data, offset, token.end, name)
            break
    return None
