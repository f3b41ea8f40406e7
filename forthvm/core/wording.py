"""Small matters of English in messages: numbers, suggestions, and where lines are broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["close_names", "counted", "exit_text", "joined", "unbroken", "wrapped"]

#: Longer names are compared with no others: the time grows with the square of the length.
MOST_CHARACTERS = 200
#: Names that one is compared with; of more, those that begin with the same character.
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
    import signal  # only failures pay for it

    try:
        return f"was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"was killed by signal {-status}"


_NARROWEST = 20
_KEPT = "\ufffc"
"""Stands for a blank at which a line must not be broken."""


def unbroken(text: object) -> str:
    """A path or another text with blanks that `wrapped` keeps on one line."""
    return str(text).replace(" ", _KEPT)


def wrapped(text: str, width: int, *, first: str = "", rest: str = "") -> list[str]:
    """Running text in lines; the only place of forthvm that breaks lines.

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
    return [line.replace(_KEPT, " ") for line in lines] or [""]


def close_names(
    name: str, known: Iterable[str], count: int = 1, *, cutoff: float = 0.6
) -> list[str]:
    """The known names that look like a name, the most similar first.

    The work is bounded, whatever a script or a user hands over: very long names are like no
    others, and of very many names only some are compared.

    >>> close_names("perf", ["moves", "perft", "show"])
    ['perft']
    """
    if not 0 < len(name) <= MOST_CHARACTERS:
        return []
    from difflib import get_close_matches  # only failures pay for it

    least = len(name) * cutoff / (2 - cutoff)  # names shorter than that fall below the cutoff
    most = min(len(name) * (2 - cutoff) / cutoff, MOST_CHARACTERS)
    near = [other for other in known if least <= len(other) <= most]
    if len(near) > MOST_NAMES:
        near = [other for other in near if other[:1] == name[:1]][:MOST_NAMES]
    return get_close_matches(name, near, n=count, cutoff=cutoff)
