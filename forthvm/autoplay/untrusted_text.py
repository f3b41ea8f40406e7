"""Text that others supply, made fit for files and terminals.

Owns what is let through.  It must not know whose text it is.
"""

from __future__ import annotations

from forthvm.core.visible import visible, visible_lines

__all__ = ["MOST_LINE", "MOST_LINES", "in_a_line", "in_lines", "visible"]

MOST_LINE, MOST_LINES = 300, 60
"""Characters of a line and lines of a text that `in_lines` keeps."""


def in_a_line(value: object, most: int) -> str:
    """What a value says about itself, in one visible line of at most so many characters."""
    try:
        text = str(value)
    except BaseException:  # of a `__str__` from elsewhere
        text = f"<{type(value).__name__} that cannot be told>"
    # Cut twice: an escape is longer than what it stands for, and a text may be huge.
    line = visible(" ".join(text[: 4 * most].split()))
    return line if len(line) <= most else line[: most - 1] + "…"


def in_lines(text: str) -> str:
    """A text of several visible lines, trimmed: what is left out is said in its place."""
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        first, last = MOST_LINES // 3, MOST_LINES - MOST_LINES // 3 - 1
        left_out = len(lines) - first - last
        lines = [*lines[:first], f"… {left_out:,} lines left out …", *lines[-last:]]
    return "\n".join(_cut(visible_lines(line[:MOST_LINE])) for line in lines)


def _cut(line: str) -> str:
    return line if len(line) < MOST_LINE else line[: MOST_LINE - 1] + "…"
