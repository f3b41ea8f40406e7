"""How wide a text may be in a picture, whatever font the viewer has.

Owns the estimate, which is that of a wide sans-serif font, and the cutting of texts by it.
"""

from __future__ import annotations

import unicodedata

__all__ = ["fitted", "text_width"]

_NARROW, _LOWER, _UPPER, _WIDE, _FULL = 0.45, 0.68, 0.82, 1.05, 1.1
"""In units of the font's size: the widest of DejaVu Sans, Verdana and Arial."""


def text_width(text: str, size: float) -> float:
    """Pixels that a text needs at most, in a font of that size.

    >>> text_width("iii", 10) < text_width("abc", 10) < text_width("WWW", 10)
    True
    """
    return size * sum(map(_units, text))


def fitted(text: str, size: float, width: float) -> str:
    """As much of a text as fits into so many pixels, with an ellipsis where it is cut.

    >>> fitted("abcdefgh", 10, 200), fitted("abcdefgh", 10, 40)
    ('abcdefgh', 'abcd…')
    """
    if text_width(text, size) <= width:
        return text
    room = width - text_width("…", size)
    kept = []
    for char in text:
        room -= size * _units(char)
        if room < 0:
            break
        kept.append(char)
    return "".join(kept) + "…"


def _units(char: str) -> float:
    if char in "iljtfrI.,:;'|!()[]{} /-":
        return _NARROW
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF" or ord(char) > 0x2FFF:  # noqa: PLR2004 - CJK
        return _FULL
    if char in "mwMWQO@%&…—" or not char.isascii():
        return _WIDE
    return _UPPER if char.isupper() else _LOWER
