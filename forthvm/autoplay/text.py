"""Text that others supply, made fit for files and terminals.

Owns what is let through.  It must not know whose text it is.
"""

from __future__ import annotations

__all__ = ["in_a_line", "visible"]


def visible(text: str) -> str:
    r"""The text with whatever cannot be seen, or not be written as UTF-8, as an escape.

    >>> visible("caf\u00e9 \udcff\x1b[31m")
    'café \\udcff\\x1b[31m'
    """
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode("ascii")
        for each in text
    )


def in_a_line(value: object, most: int) -> str:
    """What a value says about itself, in one visible line of at most so many characters."""
    try:
        text = str(value)
    except Exception:  # somebody's own `__str__`
        text = f"<{type(value).__name__} that cannot be told>"
    # Cut twice: an escape is longer than what it stands for, and a text may be huge.
    line = visible(" ".join(text[: 4 * most].split()))
    return line if len(line) <= most else line[: most - 1] + "…"
