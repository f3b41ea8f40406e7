"""The formats of files with recorded games, and the choice of one by the name of a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import kif, pdn, pgn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import PurePath
    from typing import BinaryIO

    from .game import Game
    from .recorded import RecordedGame

__all__ = ["FORMATS", "RecordFormat", "format_of"]


@dataclass(frozen=True)
class RecordFormat:
    """A format of files with recorded games.

    Attributes:
        name: Its name for users.
        suffix: How names of such files end.
        read_games: Yields the games of a file, with the name of the file for messages.
        text_of: Returns a record of a game as text; raises a RecordError if it cannot be written.
    """

    name: str
    suffix: str
    read_games: Callable[[BinaryIO, str], Iterator[RecordedGame]]
    text_of: Callable[[RecordedGame, Game], str]


PGN = RecordFormat("PGN", ".pgn", pgn.read_games, lambda record, _: pgn.text_of(record))
KIF = RecordFormat("KIF", ".kif", kif.read_games, kif.text_of)
PDN = RecordFormat("PDN", ".pdn", pdn.read_games, pdn.text_of)
FORMATS = (PGN, KIF, PDN)


def format_of(path: PurePath) -> RecordFormat | None:
    """Return the format of a file by its name; None if it is none of these."""
    suffix = path.suffix.lower()
    return next((form for form in FORMATS if form.suffix == suffix), None)
