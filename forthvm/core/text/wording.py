"""Helpers for messages: numbers with nouns, lists, similar names, line breaking."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "close_names",
    "counted",
    "exit_text",
    "joined",
    "joined_first",
    "unbroken",
    "wrap_report",
    "wrapped",
]

#: Longer names are not compared: the time grows with the square of the length.
MAX_NAME_LENGTH = 200
#: If there are more names, only those that begin with the same character are compared.
MAX_NAMES = 2000


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun; `plural` is the plural if it is not the noun with `s`.

    >>> counted(1, "file"), counted(3000, "file"), counted(2, "ply", "plies")
    ('1 file', '3,000 files', '2 plies')
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def joined(names: Sequence[str], word: str = "and") -> str:
    """Return names as a list for a sentence.

    >>> joined(["a1"]), joined(["a1", "b2", "c3"]), joined(["a1", "b2"], "or")
    ('a1', 'a1, b2 and c3', 'a1 or b2')
    """
    return f"{', '.join(names[:-1])} {word} {names[-1]}" if names[1:] else "".join(names)


def joined_first(names: Sequence[str], limit: int) -> str:
    """Return at most `limit` names as a list for a sentence, and the number of the others.

    >>> joined_first(["a1", "b2", "c3"], 3), joined_first(["a1", "b2", "c3"], 1)
    ('a1, b2 and c3', 'a1 and 2 more')
    """
    hidden = len(names) - limit
    return joined([*names[:limit], f"{hidden} more"] if hidden > 0 else names)


_CRASHES = {
    0xC0000005: "access violation",
    0xC000001D: "illegal instruction",
    0xC0000094: "division by zero",
    0xC00000FD: "stack overflow",
    0xC0000409: "damaged stack",
}
"""Exit statuses of Windows."""


def exit_text(status: int) -> str:
    """Describe how a process ended, given its exit status as in `subprocess`.

    >>> exit_text(3), exit_text(-9), exit_text(0xC0000005)
    ('ended with status 3', 'was killed by SIGKILL', 'crashed: access violation (0xC0000005)')
    """
    if status in _CRASHES:
        return f"crashed: {_CRASHES[status]} (0x{status:X})"
    if status >= 0:
        return f"ended with status {status}"
    import signal  # needed only for errors

    try:
        return f"was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"was killed by signal {-status}"


_MIN_WIDTH = 20
_NO_BREAK = "\ufffc"
"""Replaces a blank at which a line must not be broken."""


def unbroken(text: object) -> str:
    """Return a text, such as a path with blanks, marked so that `wrapped` does not break it."""
    return str(text).replace(" ", _NO_BREAK)


def wrapped(text: str, width: int, *, first: str = "", rest: str = "") -> list[str]:
    """Break running text into lines; no other code of forthvm wraps text.

    Lines are broken at blanks only.  Paths, addresses and names of options are not broken, since
    users copy them from the screen.  A word longer than `width` gets a line that exceeds `width`.

    Args:
        text: The text; each run of white space becomes one blank.
        width: Columns of a line, including its indentation; at least 20.
        first: Indentation of the first line.
        rest: Indentation of the other lines.

    >>> wrapped("see --axiom-lib or docs/tutorials/write-a-game.md", 20)
    ['see --axiom-lib or', 'docs/tutorials/write-a-game.md']
    """
    import textwrap  # slow to import

    lines = textwrap.wrap(
        text,
        max(_MIN_WIDTH, width),
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_NO_BREAK, " ") for line in lines] or [""]


def wrap_report(text: str, width: int) -> list[str]:
    """Wrap the lines of a report, except source lines: carets below them mark their tokens."""
    lines: list[str] = []
    for line in text.splitlines():
        fits = len(line) <= width or " | " in line
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        lines += [line] if fits else wrapped(line, max(width, 30), rest=indent)
    return lines


def close_names(
    name: str, known: Iterable[str], count: int = 1, *, cutoff: float = 0.6
) -> list[str]:
    """Return the known names that are similar to a name, the most similar first.

    The time is bounded: a name above MAX_NAME_LENGTH matches nothing, and if more than MAX_NAMES
    names are known, only those with the same first character are compared.

    >>> close_names("perf", ["moves", "perft", "show"])
    ['perft']
    """
    if not 0 < len(name) <= MAX_NAME_LENGTH:
        return []
    from difflib import get_close_matches  # needed only for errors

    shortest = len(name) * cutoff / (2 - cutoff)  # shorter names fall below the cutoff
    longest = min(len(name) * (2 - cutoff) / cutoff, MAX_NAME_LENGTH)
    near = [other for other in known if shortest <= len(other) <= longest]
    if len(near) > MAX_NAMES:
        near = [other for other in near if other[:1] == name[:1]][:MAX_NAMES]
    return get_close_matches(name, near, n=count, cutoff=cutoff)
