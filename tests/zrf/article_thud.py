"""The Thud of the fourth article on ZRF, put together at test time.

The article prints fragments of the rule file; they stay outside the repository and are read from
the folder that `FORTHVM_SHARED` names.  What the page lacks, the rest of the board and the macros
of the other lengths, is our own text and stands here.  The printed fragments go in unchanged.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

__all__ = ["FRAGMENTS", "article", "fragments", "rule_file"]

FRAGMENTS = ("game-defs", "dwarf-3", "shift", "troll-2", "troll-1")
"""The macros that the page prints whole."""

DIRECTIONS = ("n", "nw", "s", "ne", "w", "sw", "e", "se")


def article() -> str | None:
    """The text of the page, or None where it is not available."""
    folder = os.environ.get("FORTHVM_SHARED")
    path = Path(folder, "articles", "thud-zrf.txt") if folder else None
    return path.read_text(encoding="utf-8") if path and path.is_file() else None


def _form_at(text: str, start: int) -> str:
    """The form that begins with the parenthesis at an index, strings respected."""
    depth, in_string = 0, False
    for index in range(start, len(text)):
        character = text[index]
        if character == '"':
            in_string = not in_string
        elif not in_string:
            depth += {"(": 1, ")": -1}.get(character, 0)
            if depth == 0:
                return text[start : index + 1]
    raise ValueError(f"the form at index {start} is not closed")


def fragments(page: str) -> dict[str, str]:
    """The printed forms by macro name, and the game under the name `game`."""
    found = {}
    for name in FRAGMENTS:
        match = re.search(rf"\(\s*define\s+{name}\s", page)
        if match is None:
            raise ValueError(f"the page has no macro {name}")
        found[name] = _form_at(page, match.start())
    found["game"] = _form_at(page, page.index('(game (title "Thud")'))
    return found


# --- what the page lacks --------------------------------------------------------------------


def _board() -> str:
    """The macro `board-defs`: an octagon with a hole in its middle, cut out of a grid."""
    rows = range(15, 0, -1)
    killed = [
        f"{column}{row}"
        for row in rows
        for index, column in enumerate("abcdefghijklmno")
        if min(index, 14 - index) + min(row - 1, 15 - row) < 5
    ]
    return f"""(define board-defs
   (grid
      (start-rectangle 0 0 34 34)
      (dimensions ("{"/".join("abcdefghijklmno")}" (35 0)) ("{"/".join(map(str, rows))}" (0 35)))
      (directions (n 0 -1) (ne 1 -1) (e 1 0) (se 1 1) (s 0 1) (sw -1 1) (w -1 0) (nw -1 -1))
   )
   (kill-positions {" ".join(killed)} h8)
)
"""


def _dwarf(length: int) -> str:
    """A throw over `length` squares onto an enemy; the line has as many dwarfs."""
    behind = "(opposite $1) (verify friend?) " * (length - 1)
    way = "$1 (verify empty?) " * (length - 1)
    back = f"mark {behind}back " if length > 1 else ""
    return f"(define dwarf-{length} ( {back}{way}$1 (verify enemy?) add ) )\n"


def _troll(length: int) -> str:
    """A throw of a troll over `length` squares to where it captures something."""
    behind = "(opposite $1) (verify friend?) " * (length - 1)
    way = "$1 (verify empty?) " * length
    near = " ".join(f"(enemy? {direction})" for direction in DIRECTIONS)
    captures = " ".join(f"(if (enemy? {name}) (capture {name}))" for name in DIRECTIONS)
    return (
        f"(define troll-{length} ( mark {behind}back {way}(verify (or {near})) {captures} add ) )\n"
    )


def rule_file(page: str) -> str:
    """The complete rule file: our text, with the printed forms in it character for character."""
    printed = fragments(page)
    ours = [_board()]
    ours += [_dwarf(length) for length in (1, 2, 4, 5, 6, 7)]
    ours += [_troll(length) for length in range(3, 8)]
    return "\n".join([*ours, *printed.values()]) + "\n"
