"""Helpers for messages: numbers with nouns, lists, similar names, line breaking."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["close_names", "counted", "exit_text", "joined", "unbroken", "wrapped"]

#: Longer names are not compared: the time grows with the square of the length.
MOST_CHARACTERS = 200
#: If there are more names, only those that begin with the same character are compared.
MOST_NAMES = 2000


def counted(number: int, thing: str, plural: str = "") -> str:
    """A number with its noun; `plural` where that does not end in `s` alone.

    >>> counted(1, "file"), counted(3000, "file"), counted(2, "ply", "plies")
    ('1 file', '3,000 files', '2 plies')
    """
    return f"{number:,} {thing if number == 1 else plural or f'{thing}s'}"


def joined(names: Sequence[str], word: str = "and") -> str:
    """Names as a list in a sentence.

    >>> joined(["a1"]), joined(["a1", "b2", "c3"]), joined(["a1", "b2"], "or")
    ('a1', 'a1, b2 and c3', 'a1 or b2')
    """
    return f"{', '.join(names[:-1])} {word} {names[-1]}" if names[1:] else "".join(names)


def exit_text(status: int) -> str:
    """How a process ended, from its exit status as `subprocess` gives it.

    >>> exit_text(3), exit_text(-9)
    ('ended with status 3', 'was killed by SIGKILL')
    """
    if status >= 0:
        return f"ended with status {status}"
    import signal  # needed only for errors

    try:
        return f"was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"was killed by signal {-status}"


_NARROWEST = 20
_NO_BREAK = "\ufffc"
"""Replaces a blank at which a line must not be broken."""


def unbroken(text: object) -> str:
    """A text, for example a path with blanks, marked so that `wrapped` does not break it."""
    return str(text).replace(" ", _NO_BREAK)


def wrapped(text: str, width: int, *, first: str = "", rest: str = "") -> list[str]:
    """Break running text into lines; all other code of forthvm uses this function.

    Lines are broken at blanks only.  Paths, addresses and names of options stay whole, since they
    are copied from the screen: a line with a longer one is wider than `width`.

    Args:
        text: What to wrap; white space in it becomes one blank.
        width: The columns of a line, its indentation included; 20 or more are used.
        first: Indentation of the first line.
        rest: Indentation of the others.

    >>> wrapped("see --axiom-lib or docs/tutorials/write-a-game.md", 20)
    ['see --axiom-lib or', 'docs/tutorials/write-a-game.md']
    """
    import textwrap  # slow to start

    lines = textwrap.wrap(
        text,
        max(_NARROWEST, width),
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_NO_BREAK, " ") for line in lines] or [""]


def close_names(
    name: str, known: Iterable[str], count: int = 1, *, cutoff: float = 0.6
) -> list[str]:
    """The known names that are similar to a name, the most similar first.

    The work is bounded for any input: very long names match nothing, and of very many names
    only some are compared.

    >>> close_names("perf", ["moves", "perft", "show"])
    ['perft']
    """
    if not 0 < len(name) <= MOST_CHARACTERS:
        return []
    from difflib import get_close_matches  # needed only for errors

    least = len(name) * cutoff / (2 - cutoff)  # names shorter than that fall below the cutoff
    most = min(len(name) * (2 - cutoff) / cutoff, MOST_CHARACTERS)
    near = [other for other in known if least <= len(other) <= most]
    if len(near) > MOST_NAMES:
        near = [other for other in near if other[:1] == name[:1]][:MOST_NAMES]
    return get_close_matches(name, near, n=count, cutoff=cutoff)
