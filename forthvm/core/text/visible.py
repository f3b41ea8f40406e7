r"""Makes control characters in untrusted text visible before the text reaches a terminal.

Names and texts come from untrusted scripts and files, and a terminal obeys control characters in
them: they move the cursor, hide or reorder text, or change the window's title.  This file owns the
set of characters that are replaced, their replacements, and the form of values in messages.

The following are replaced: C0 (except newlines and tabs in texts of several lines), DEL, C1, the
line and paragraph separators, bidirectional overrides and isolates, lone surrogates, which cannot
be encoded, and U+FFFE and U+FFFF, which no XML document may contain.
"""

from __future__ import annotations

import re
from reprlib import Repr

__all__ = ["MAX_SHOWN", "shown", "visible", "visible_json", "visible_lines", "visible_styled"]

MAX_SHOWN = 60
"""The maximum length of a value in a message."""
_short = Repr()
_short.maxstring = _short.maxother = _short.maxlong = MAX_SHOWN
_ALWAYS = r"\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff"
# Patterns are compiled when they are first used: most texts contain no such character.
_IN_A_LINE = rf"[\x00-\x1f{_ALWAYS}]"
_IN_LINES = rf"[\x00-\x08\x0b-\x1f{_ALWAYS}]"
_STYLED = rf"\x1b\[(?:[0-9;]*m|K)|\r|([\x00-\x08\x0b-\x1f{_ALWAYS}])"


def visible(text: str) -> str:
    r"""Return the text on one line: control characters, newlines and tabs become escapes.

    >>> visible("caf\u00e9 \udcff\x1b[31m\n")
    'café \\udcff\\x1b[31m\\n'
    """
    return text if text.isprintable() else re.sub(_IN_A_LINE, _escaped, text)


def visible_lines(text: str) -> str:
    r"""Return the text with control characters as escapes; newlines and tabs stay.

    >>> visible_lines("a\tb\n\x07")
    'a\tb\n\\x07'
    """
    return text if text.isprintable() else re.sub(_IN_LINES, _escaped, text)


def visible_styled(text: str) -> str:
    r"""Return the text as `visible_lines` does, but keep colours and carriage returns.

    The sequence "erase to end of line" is kept, too.  This function is for text that forthvm has
    coloured.  The caller passes untrusted parts through `visible` before it colours them.  If the
    caller misses an untrusted part, that part can change colours, but nothing else.

    >>> visible_styled("\x1b[1mbold\x1b[0m \x1b]0;title\x07")
    '\x1b[1mbold\x1b[0m \\x1b]0;title\\x07'
    """
    return text if text.isprintable() else re.sub(_STYLED, _unless_style, text)


def visible_json(text: str) -> str:
    r"""Return a JSON document, indented or not, with control characters as JSON escapes.

    >>> visible_json('{"a": "\x9b"}')
    '{"a": "\\u009b"}'
    """
    if text.isprintable():
        return text
    return re.sub(_IN_LINES, lambda match: f"\\u{ord(match[0]):04x}", text)


def shown(value: object) -> str:
    """Return the repr of a value, shortened and in one line; never raises.

    >>> shown(["a", *range(1000)])
    "['a', 0, 1, 2, 3, 4, ...]"
    """
    try:
        line = visible(_short.repr(value))
    except ValueError:  # Python refuses to convert an integer of thousands of digits
        line = f"a huge {type(value).__name__}"
    return line if len(line) <= MAX_SHOWN else f"{line[:MAX_SHOWN]}…"


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def _unless_style(match: re.Match[str]) -> str:
    return _escaped(match) if match[1] else match[0]
