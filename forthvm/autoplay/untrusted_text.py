"""Untrusted text, such as messages of engines, made safe for files and terminals.

Control characters are escaped and long texts are shortened.  Owns the limits on lines and
characters.
"""

from __future__ import annotations

from forthvm.core.text.visible import visible, visible_lines

__all__ = ["MAX_LINES", "MAX_LINE_LENGTH", "in_a_line", "in_lines", "visible"]

MAX_LINE_LENGTH, MAX_LINES = 300, 60
"""The maximum length of a line, and the maximum number of lines, in a result of `in_lines`."""


def in_a_line(value: object, max_length: int) -> str:
    """Return `str(value)` in one line of at most `max_length` characters."""
    try:
        text = str(value)
    except BaseException:  # `__str__` may be code of an engine
        text = f"<{type(value).__name__} without a text>"
    # A huge text is cut before it is escaped.  The escaped line may be longer and is cut again.
    line = visible(" ".join(text[: 4 * max_length].split()))
    return line if len(line) <= max_length else line[: max_length - 1] + "…"


def in_lines(text: str) -> str:
    """Return a text in lines; a line in the middle states how many lines were left out."""
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        first, last = MAX_LINES // 3, MAX_LINES - MAX_LINES // 3 - 1
        left_out = len(lines) - first - last
        lines = [*lines[:first], f"… {left_out:,} lines left out …", *lines[-last:]]
    return "\n".join(_cut(visible_lines(line[:MAX_LINE_LENGTH])) for line in lines)


def _cut(line: str) -> str:
    return line if len(line) < MAX_LINE_LENGTH else line[: MAX_LINE_LENGTH - 1] + "…"
