"""The width of a text in a terminal, in columns."""

from __future__ import annotations

import unicodedata

__all__ = ["text_width"]


def text_width(text: str) -> int:
    """Return the width of a text: 0 columns for combining marks, 2 for wide East Asian letters.

    >>> text_width("king"), text_width("駒")
    (4, 2)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )
