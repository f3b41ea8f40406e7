"""The formats of files with recorded games, and the choice of one by the name of a file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.game.short_notation import short_notation

from . import kif, kif_writing, pdn, pgn, sgf
from .recorded import RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import PurePath
    from typing import BinaryIO

    from forthvm.game.game import Game

    from .recorded import RecordedGame

__all__ = [
    "FORMATS",
    "PGN",
    "SUFFIXES",
    "RecordFormat",
    "format_for_game",
    "format_of",
    "format_of_text",
]


@dataclass(frozen=True)
class RecordFormat:
    """A format of files with recorded games.

    Attributes:
        name: Its name for users.
        suffixes: How names of such files end.
        read_games: Yields the games of a file, with the name of the file for messages, and of the
            game that is played, instead of the one that the file tells.
        text_of: Returns a record of a game as text; raises a RecordError if it cannot be written.
    """

    name: str
    suffixes: tuple[str, ...]
    read_games: Callable[[BinaryIO, str, str | None], Iterator[RecordedGame]]
    text_of: Callable[[RecordedGame, Game], str]


PGN = RecordFormat("PGN", (".pgn",), pgn.read_games, lambda record, _: pgn.text_of(record))
KIF = RecordFormat("KIF", (".kif", ".kifu"), kif.read_games, kif_writing.text_of)
PDN = RecordFormat("PDN", (".pdn",), pdn.read_games, pdn.text_of)
SGF = RecordFormat("SGF", (".sgf",), sgf.read_games, sgf.text_of)
FORMATS = (PGN, KIF, PDN, SGF)
SUFFIXES = tuple(suffix for form in FORMATS for suffix in form.suffixes)
_OTHERS = {".ki2": "KI2", ".csa": "CSA"}
"""Formats of shogi that are neither read nor written."""


def format_of(path: PurePath) -> RecordFormat | None:
    """Return the format of a file by its name; None if it is no file of games.

    Raises:
        RecordError: Files of this format are neither read nor written.
    """
    suffix = path.suffix.lower()
    if suffix in _OTHERS:
        raise RecordError(f"{_OTHERS[suffix]} is neither read nor written, but KIF (.kif) is")
    return next((form for form in FORMATS if suffix in form.suffixes), None)


def format_of_text(text: str, game: Game) -> RecordFormat:
    """Return the format of games without a file.

    Args:
        text: The games.
        game: The game to which moves without tags belong.
    """
    if re.match(r"\s*\(\s*(;|[A-Z]+\[)", text):
        return SGF
    if kif.is_kif(text):
        return KIF
    is_draughts = format_for_game(game) is PDN and '[Variant "' not in text
    return PDN if is_draughts or '[GameType "' in text else PGN


def format_for_game(game: Game) -> RecordFormat:
    """Return the format in which players of a game exchange games."""
    notation = short_notation(game._loaded)
    if notation is not None and notation.sgf is not None:
        return SGF
    return KIF if game.name in kif.GAMES else PDN if game.name in pdn.GAMES else PGN
