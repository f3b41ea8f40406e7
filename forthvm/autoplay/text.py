"""Text that others supply, made fit for files and terminals.

Owns what is let through.  It must not know whose text it is.
"""

from __future__ import annotations

from forthvm.core.visible import visible

__all__ = ["in_a_line", "visible"]


def in_a_line(value: object, most: int) -> str:
    """What a value says about itself, in one visible line of at most so many characters."""
    try:
        text = str(value)
    except Exception:  # somebody's own `__str__`
        text = f"<{type(value).__name__} that cannot be told>"
    # Cut twice: an escape is longer than what it stands for, and a text may be huge.
    line = visible(" ".join(text[: 4 * most].split()))
    return line if len(line) <= most else line[: most - 1] + "…"
