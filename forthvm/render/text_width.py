"""How many columns of a terminal a text fills.  Owns that count only."""

from __future__ import annotations

import unicodedata

__all__ = ["text_width"]


def text_width(text: str) -> int:
    """Columns that a text fills: combining marks none, wide East Asian letters two.

    >>> text_width("king"), text_width("駒")
    (4, 2)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )
