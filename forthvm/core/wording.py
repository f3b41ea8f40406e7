"""Small matters of English in messages."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, thing: str) -> str:
    """A number with its noun.

    >>> counted(1, "file"), counted(3, "file")
    ('1 file', '3 files')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
