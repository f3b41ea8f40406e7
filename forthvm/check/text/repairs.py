"""Texts repaired for loading: same length, so that every place stays where it is.

This file owns what is written over a text, never what people are shown of it: definitions without
`;` become empty ones, names that lack a blank get it where there is room.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from .lexer import BLANKS, lex

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable

    from .unfinished import Unfinished

__all__ = ["Repair", "apart", "blank_out", "end_definition", "glued_end", "repaired", "set_apart"]

_ITEM_FIRST = re.compile(r"(\{[^{}\s]+\})(.+)$|(\{[a-z-]+)(\{.+)$|([a-z-]+\})(.+)$")
_ITEM_LAST = re.compile(r"(.+?)(\{[^{}\s]+\}?)$")
_LEAST_WORD = 4
_NUMBER = re.compile(r"[+-]?\d+$")


class Repair(NamedTuple):
    """Bytes to be written over a text at an offset."""

    start: int
    data: bytes


def repaired(data: bytes, repairs: Iterable[Repair]) -> bytes:
    """A text with its repairs."""
    written = bytearray(data)
    for repair in repairs:
        written[repair.start : repair.start + len(repair.data)] = repair.data
    return bytes(written)


def blank_out(data: bytes, start: int, end: int) -> Repair:
    """Blanks over a part of a text; its lines stay."""
    return Repair(start, re.sub(rb"[^\n]", b" ", data[start:end]))


def end_definition(data: bytes, unfinished: Unfinished) -> Repair:
    """An empty definition instead of one without `;`."""
    return _empty_definition(data, unfinished.start, unfinished.cut, unfinished.name.text)


def _empty_definition(data: bytes, start: int, end: int, name: bytes) -> Repair:
    empty = b": " + name + b" ;"
    if len(empty) >= end - start and end < len(data):
        return blank_out(data, start, end)
    blanks = blank_out(data, start, end).data
    return Repair(start, (empty + blanks[len(empty) :])[: end - start])


def glued_end(text: str, knows: Callable[[str], bool]) -> bool:
    """Whether a name is one that is known with a `;` behind it: `jump;`."""
    return len(text) > 1 and text.endswith(";") and not knows(text) and knows(text[:-1])


def apart(
    name: str, knows: Callable[[str], bool], built_in: Container[str] = ()
) -> tuple[str, ...]:
    """The words that an unknown name is made of, if only a blank is missing; else none.

    Only where the dialect's own marks show it, `jump;`, `:jump`, `{move}jump`, `a1{setup}`, or
    where both are words that every script has: `empty?verify`.
    """
    if len(name) > 1 and name.endswith(";") and (knows(name[:-1]) or _NUMBER.match(name[:-1])):
        return (name[:-1], ";")
    if len(name) > 1 and name.startswith(":") and not name.endswith(":"):
        return (":", name[1:])
    for pattern in (_ITEM_FIRST, _ITEM_LAST):
        match = pattern.match(name)
        parts = tuple(part for part in match.groups() if part) if match else ()
        if parts and any(_is_item(part) and knows(part) for part in parts):
            return parts
    for cut in range(_LEAST_WORD, len(name) - _LEAST_WORD + 1):
        if name[:cut] in built_in and name[cut:] in built_in:
            return (name[:cut], name[cut:])
    return ()


def _is_item(part: str) -> bool:
    return part.startswith("{") or part.endswith("}")


def set_apart(data: bytes, offset: int, name: bytes, parts: tuple[bytes, ...]) -> Repair | None:
    """The parts of a name with the blank that is missing, where blanks beside it leave room."""
    if parts[0] == b":":
        return _defined_empty(data, offset, parts[1])
    spread, end = b" ".join(parts), offset + len(name)
    more = len(spread) - len(name)
    if _blank(data[offset - more - 1 : offset], more + 1):
        return Repair(offset - more, spread)
    if _blank(data[end : end + more + 1], more + 1) or not data[end + more :].strip():
        return Repair(offset, spread)
    return None


def _blank(data: bytes, count: int) -> bool:
    return len(data) == count and b"\n" not in data[1:] and not data.strip(BLANKS)


def _defined_empty(data: bytes, offset: int, name: bytes) -> Repair | None:
    """An empty definition instead of one that begins with `:name`."""
    for token in lex(data).tokens:
        if token.start > offset and token.text in (b":", b";"):
            if token.text == b";":
                return _empty_definition(data, offset, token.after, name)
            break
    return None
