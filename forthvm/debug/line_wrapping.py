"""Line wrapping of reports for a terminal.

Owns the choice of the lines that may be wrapped.
"""

from __future__ import annotations

from forthvm.core.text.wording import wrapped

__all__ = ["wrap_report"]


def wrap_report(text: str, width: int) -> list[str]:
    """Return the lines of a report, wrapped at the width of the terminal.

    A source line is not wrapped, because carets in the next line mark its token.
    """
    return [part for line in text.splitlines() for part in _wrap_line(line, width)]


def _wrap_line(line: str, width: int) -> list[str]:
    if len(line) <= width or " | " in line:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return wrapped(line, max(width, 30), rest=indent)
