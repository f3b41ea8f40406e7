"""Command lines as a user types them: quoting, splitting and joining words.

In the shells of POSIX, quotes of both kinds enclose words, and a backslash quotes a character.  On
Windows, only double quotes enclose words when programs read their arguments, and a backslash
separates the names of a path.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["join_words", "quoted", "split_words"]

_PLAIN_ON_WINDOWS = r"[\w.:\\/=@,+~-]+"


def quoted(word: str, *, system: str = sys.platform) -> str:
    """Return a word as a user must type it.

    >>> quoted("a game.4th", system="linux"), quoted("a game.4th", system="win32")
    ("'a game.4th'", '"a game.4th"')
    """
    if system != "win32":
        import shlex

        return shlex.quote(word)
    if re.fullmatch(_PLAIN_ON_WINDOWS, word):
        return word
    escaped = re.sub(r'(\\*)"', r'\1\1\\"', word)  # backslashes count only before a quote
    return '"' + re.sub(r"(\\+)$", r"\1\1", escaped) + '"'


def join_words(words: Iterable[str], *, system: str = sys.platform) -> str:
    """Return a program and its arguments as a user must type them."""
    return " ".join(quoted(word, system=system) for word in words)


def split_words(line: str, *, system: str = sys.platform) -> list[str]:
    r"""Split a command line into words.

    On Windows, quotes of both kinds enclose words here, so that examples of the manual work there.

    Raises:
        ValueError: A quote is not closed.

    >>> split_words(r'"C:\My Games\engine.exe" --fast', system="win32")
    ['C:\\My Games\\engine.exe', '--fast']
    """
    import shlex

    if system != "win32":
        return shlex.split(line)
    lexer = shlex.shlex(line, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    lexer.escape = ""
    return list(lexer)
