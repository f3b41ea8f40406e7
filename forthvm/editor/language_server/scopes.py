"""The files in which a name has one meaning: those of all games that share a file with the name.

Owns following a name from game to game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from .documents import Document

__all__ = ["Scope", "outermost", "scope_of"]


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a name has one meaning.

    Attributes:
        documents: The files with the name, that of the request first.
        games: The files of each game that contains one of them.
    """

    documents: list[Document]
    games: list[list[Document]]

    @property
    def files(self) -> list[Document]:
        """The files of all games, each once."""
        return [*{file.path: file for game in self.games for file in game}.values()]


def scope_of(
    document: Document,
    games_with: Callable[[Document], Iterable[list[Document]]],
    mentions: Callable[[Document], bool],
) -> Scope:
    """Return where a name has the meaning that it has in a document.

    A file that mentions the name gives it one meaning in all games that contain the file.

    Args:
        document: The document.
        games_with: Returns the files of each game that contains a document.
        mentions: Whether the name occurs in a document.
    """
    found = {document.path: document}
    games: dict[frozenset[Path], list[Document]] = {}
    pending = [document]
    while pending:
        for game in games_with(pending.pop()):
            games[frozenset(file.path for file in game)] = game
            for file in game:
                if file.path not in found and mentions(file):
                    found[file.path] = file
                    pending.append(file)
    return Scope([*found.values()], [*games.values()])


def outermost(path: Path, users: Callable[[Path], Iterable[Path]]) -> list[Path]:
    """Return the files that use a file, also indirectly, and that no other file uses.

    Args:
        path: The file, which is the result if no file uses it.
        users: Returns the files that use a file directly.
    """
    found: list[Path] = []
    seen = {path}
    pending = [path]
    while pending:
        current = pending.pop()
        above = list(users(current))
        if not above:
            found.append(current)
        pending += [user for user in above if user not in seen]
        seen.update(above)
    return found or [path]
