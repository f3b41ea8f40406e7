"""How reports are broken into lines for a terminal; it must not know what they say."""

from __future__ import annotations

from forthvm.core.wording import wrapped

__all__ = ["broken"]


def broken(text: str, width: int) -> list[str]:
    """The lines of a report, broken where the terminal ends.

    Source lines stay whole: carets stand under them.
    """
    return [part for line in text.splitlines() for part in _broken(line, width)]


def _broken(line: str, width: int) -> list[str]:
    if len(line) <= width or " | " in line:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return wrapped(line, max(width, 30), rest=indent)
