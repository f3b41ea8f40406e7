"""Untrusted text, such as messages of engines, made safe for files and terminals.

Owns the limits on lines and characters.  It must not know where texts come from.
"""

from __future__ import annotations

from forthvm.core.text.visible import visible, visible_lines

__all__ = ["MOST_LINE", "MOST_LINES", "in_a_line", "in_lines", "visible"]

MOST_LINE, MOST_LINES = 300, 60
"""The greatest length of a line and number of lines in a result of `in_lines`."""


def in_a_line(value: object, most: int) -> str:
    """The `str` of a value, in one visible line of at most `most` characters."""
    try:
        text = str(value)
    except BaseException:  # `__str__` may be code of an engine
        text = f"<{type(value).__name__} without a text>"
    # Cut before escaping because the text may be huge, and after it because escapes are longer.
    line = visible(" ".join(text[: 4 * most].split()))
    return line if len(line) <= most else line[: most - 1] + "…"


def in_lines(text: str) -> str:
    """A text in visible lines; a line in the middle says how many lines were left out."""
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        first, last = MOST_LINES // 3, MOST_LINES - MOST_LINES // 3 - 1
        left_out = len(lines) - first - last
        lines = [*lines[:first], f"… {left_out:,} lines left out …", *lines[-last:]]
    return "\n".join(_cut(visible_lines(line[:MOST_LINE])) for line in lines)


def _cut(line: str) -> str:
    return line if len(line) < MOST_LINE else line[: MOST_LINE - 1] + "…"
