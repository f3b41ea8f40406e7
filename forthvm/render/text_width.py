"""The width of a text in a terminal.

Owns that count only.  It must not know what the text says.
"""

from __future__ import annotations

import unicodedata

__all__ = ["text_width"]


def text_width(text: str) -> int:
    """Width of a text in columns: combining marks have none, wide East Asian letters two.

    >>> text_width("king"), text_width("駒")
    (4, 2)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )
