"""Searches entries of the library."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from forthvm.library.entry import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["BOARDS", "Query", "search"]

_SMALL, _LARGE = 36, 100  # squares

BOARDS: dict[str, Callable[[Entry], bool]] = {
    "square": lambda entry: entry.rows == entry.columns > 0,
    "oblong": lambda entry: 0 < entry.rows != entry.columns > 0,
    "other": lambda entry: not (entry.rows and entry.columns),
    "small": lambda entry: entry.squares <= _SMALL,
    "medium": lambda entry: _SMALL < entry.squares <= _LARGE,
    "large": lambda entry: entry.squares > _LARGE,
}
"""The shapes and sizes of boards that can be searched; others are not a grid."""
_GRID = re.compile(r"(\d{1,3})x(\d{1,3})")


@dataclass(frozen=True, kw_only=True)
class Query:
    """What an entry must have; None or an empty text: anything.

    Attributes:
        text: Words that all occur in its title, author, description, players, or the names of
            the file and its archive.
        players: The number of players.
        board: One of BOARDS, or columns and rows of a grid, such as 8x8.
        kind: One of KINDS.
        loads: Whether it can be loaded.
        chance: Whether chance decides.
        hidden: Whether players see different pieces.
    """

    text: str = ""
    players: int | None = None
    board: str | None = None
    kind: str | None = None
    loads: bool | None = None
    chance: bool | None = None
    hidden: bool | None = None

    def __post_init__(self) -> None:
        """Check the board.

        Raises:
            ValueError: There is no such shape or size.
        """
        if not (self.board is None or self.board in BOARDS or _GRID.fullmatch(self.board)):
            raise ValueError(f"{self.board!a} is none of {', '.join(BOARDS)}, COLUMNSxROWS")

    def matches(self, entry: Entry) -> bool:
        """Return whether an entry has everything.

        Only of games that load is known how many players and what surprises they have.
        """
        asks_rules = {self.players, self.board, self.chance, self.hidden} != {None}
        if asks_rules and not (entry.kind == "game" and entry.loads):
            return False
        wanted = (
            (self.players, len(entry.players)),
            (self.kind, entry.kind),
            (self.loads, entry.loads),
            (self.chance, entry.chance),
            (self.hidden, entry.hidden),
        )
        if any(value is not None and value != found for value, found in wanted):
            return False
        if self.board is not None and not self._is_board(entry):
            return False
        text = _text(entry)
        return all(word in text for word in self.text.casefold().split())

    def _is_board(self, entry: Entry) -> bool:
        assert self.board is not None
        grid = _GRID.fullmatch(self.board)
        if grid is None:
            return BOARDS[self.board](entry)
        return (entry.columns, entry.rows) == (int(grid[1]), int(grid[2]))


def search(entries: Iterable[Entry], query: Query) -> list[Entry]:
    """Return the entries that match, by title; first those whose title contains all words."""
    words = query.text.casefold().split()

    def order(entry: Entry) -> tuple[bool, str, str]:
        title = entry.title.casefold()
        return any(word not in title for word in words), title, entry.path

    return sorted(filter(query.matches, entries), key=order)


def _text(entry: Entry) -> str:
    names = PurePath(entry.path).name, PurePath(entry.archive).name
    parts = (entry.title, entry.author, entry.description, *entry.players, *names)
    return "\n".join(parts).casefold()
