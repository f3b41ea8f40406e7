"""The maximum width of a text in a picture, for any sans-serif font.

Owns the estimate, based on wide fonts, and the cutting of texts to a width.
"""

from __future__ import annotations

import unicodedata

__all__ = ["fitted", "pixel_width"]

_NARROW, _LOWER, _UPPER, _WIDE, _FULL = 0.45, 0.68, 0.82, 1.05, 1.1
"""Widths of kinds of characters in units of the font size.

Each is the greatest width in DejaVu Sans, Verdana and Arial.
"""


def pixel_width(text: str, size: float) -> float:
    """Return the maximum width of a text in pixels, for a font size in pixels.

    >>> pixel_width("iii", 10) < pixel_width("abc", 10) < pixel_width("WWW", 10)
    True
    """
    return size * sum(map(_units, text))


def fitted(text: str, size: float, width: float) -> str:
    """Cut a text to a width in pixels; a text that was cut ends with an ellipsis.

    >>> fitted("abcdefgh", 10, 200), fitted("abcdefgh", 10, 40)
    ('abcdefgh', 'abcd…')
    """
    if pixel_width(text, size) <= width:
        return text
    remaining = width - pixel_width("…", size)
    chars = []
    for char in text:
        remaining -= size * _units(char)
        if remaining < 0:
            break
        chars.append(char)
    return "".join(chars) + "…"


def _units(char: str) -> float:
    if char in "iljtfrI.,:;'|!()[]{} /-":
        return _NARROW
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF" or ord(char) > 0x2FFF:  # CJK
        return _FULL
    if char in "mwMWQO@%&…—" or not char.isascii():
        return _WIDE
    return _UPPER if char.isupper() else _LOWER
