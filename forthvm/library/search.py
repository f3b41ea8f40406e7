"""Searches entries of the library."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from forthvm.library.entry import Entry

__all__ = ["Query", "search"]


@dataclass(frozen=True, kw_only=True)
class Query:
    """What an entry must have; None or an empty text: anything.

    Attributes:
        text: Words that all occur in its title, author, description, players or file name.
        players: The number of players.
        kind: One of KINDS.
        loads: Whether it can be loaded.
        chance: Whether chance decides.
        hidden: Whether players see different pieces.
    """

    text: str = ""
    players: int | None = None
    kind: str | None = None
    loads: bool | None = None
    chance: bool | None = None
    hidden: bool | None = None

    def matches(self, entry: Entry) -> bool:
        """Return whether an entry has everything.

        Only of games that load is known how many players and what surprises they have.
        """
        asks_rules = (self.players, self.chance, self.hidden) != (None, None, None)
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
        text = _text(entry)
        return all(word in text for word in self.text.casefold().split())


def search(entries: Iterable[Entry], query: Query) -> list[Entry]:
    """Return the entries that match, by title; first those whose title contains all words."""
    words = query.text.casefold().split()

    def order(entry: Entry) -> tuple[bool, str, str]:
        title = entry.title.casefold()
        return any(word not in title for word in words), title, entry.path

    return sorted(filter(query.matches, entries), key=order)


def _text(entry: Entry) -> str:
    name = PurePath(entry.path).name
    parts = (entry.title, entry.author, entry.description, *entry.players, name)
    return "\n".join(parts).casefold()
