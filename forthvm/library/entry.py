"""What the library knows about a file, without loading it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

__all__ = ["KINDS", "Entry", "Kind", "shortened"]

Kind = Literal["game", "saved game", "position", "results", "archive", "folder"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""`archive` and `folder` are entries for those that cannot be read."""

_MAX_TEXT = 600
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A file of the library.

    Attributes:
        path: Absolute path of the file.
        kind: One of KINDS.
        title: The title of the game, or the name of the file.
        archive: Path of the zip archive that contains the file; empty if it is in no archive.
        author: Empty if the file does not say who made it.
        description: One paragraph; for other files than games, what they contain.
        players: The players that can win.
        columns: Columns of the board; 0 if it is not a grid.
        rows: Rows of the board; 0 if it is not a grid.
        squares: The number of squares.
        variants: The number of games and variants in the file.
        chance: Whether there are chance players, such as dice.
        hidden: Whether players see different pieces.
        rules: The rule file of a saved game, if it is not in the same folder: its name in lower
            case, or its path if the library has it.
        reason: Why the file cannot be loaded; empty if it can.
    """

    path: str
    kind: str
    title: str
    archive: str = ""
    author: str = ""
    description: str = ""
    players: tuple[str, ...] = ()
    columns: int = 0
    rows: int = 0
    squares: int = 0
    variants: int = 0
    chance: bool = False
    hidden: bool = False
    rules: str = ""
    reason: str = ""

    @property
    def loads(self) -> bool:
        """Whether the file can be loaded."""
        return not self.reason


def shortened(text: str, limit: int = _MAX_TEXT) -> str:
    """Return a text on one line, with at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + _ELLIPSIS
